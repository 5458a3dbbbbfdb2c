import { plain } from '@shiplog/text';
import { useState } from 'preact/hooks';
import { guessedProduction, productionSetting } from '../board/production.ts';
import { toggled } from '../board/toggled.ts';
import { useStore } from '../state/store.ts';
import { useApp, useBoard, useBoardContext } from '../ui/app.ts';
import { CopyButton } from '../ui/copy-button.tsx';

/** Asks which environments are production if the service's setting names none on the board (stages.md 3.2). */
export function ProductionQuestion() {
  const { preferences } = useApp();
  const { stages } = useBoardContext();
  const environments = useBoard()?.environments ?? [];
  const { production } = useStore(preferences);
  const guessed = guessedProduction(environments);
  const [ticked, setTicked] = useState<readonly string[]>();
  const [setting, setSetting] = useState<string>();
  const chosen = ticked ?? guessed;
  if (setting !== undefined) return <ForEveryone setting={setting} onClose={() => setSetting(undefined)} />;
  if (guessed.length === 0 || production !== undefined || stages.production.size > 0) return null;
  const answer = (event: Event) => {
    event.preventDefault();
    if (chosen.length > 0) setSetting(productionSetting(stages, chosen));
    preferences.prefer({ production: chosen });
  };
  return (
    <form class="production-question wrap note fine" onSubmit={answer}>
      <span id="production-question">Which of these are production?</span>
      {[...guessed, ...environments.filter((name) => !guessed.includes(name))].map((name) => (
        <label key={name} class="row gap-4">
          <input type="checkbox" checked={chosen.includes(name)} onChange={() => setTicked(toggled(chosen, name))} />
          <bdi>{plain(name)}</bdi>
        </label>
      ))}
      <button type="submit" class="chip">
        {chosen.length > 0 ? 'Use these' : 'None of them'}
      </button>
    </form>
  );
}

function ForEveryone({ setting, onClose }: { readonly setting: string; readonly onClose: () => void }) {
  return (
    <p class="production-question wrap note fine" role="status">
      <span>This browser remembers it. To set it for everyone, start the service with</span>
      <code class="breaks">{setting}</code>
      <CopyButton text={setting} what="Copy" />
      <button type="button" class="chip" onClick={onClose}>
        Close
      </button>
    </p>
  );
}
