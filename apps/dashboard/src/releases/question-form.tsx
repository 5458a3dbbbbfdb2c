import type { ReleaseDetail } from '@shiplog/contract';
import { plain } from '@shiplog/text';
import { useState } from 'preact/hooks';
import type { ReleaseState } from '../state/address/release.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Choice } from '../ui/choice.tsx';
import { nameOf } from './matches.ts';

interface QuestionFormProps {
  /** `undefined` means any. */
  readonly environment: string | undefined;
  readonly found: ReleaseDetail | undefined;
}

/** The question as a sentence with fields. A choice applies immediately, text when the user presses Enter. */
export function QuestionForm({ environment, found }: QuestionFormProps) {
  const { navigation, connection } = useApp();
  const { release: asked } = useAddress();
  const board = useStore(connection.board);
  const [typed, setTyped] = useState({ text: asked.release ?? '', of: asked.release });
  const text = typed.of === asked.release ? typed.text : (asked.release ?? '');
  const ask = (change: Partial<ReleaseState>) => {
    const release = text.trim() || undefined;
    setTyped({ text, of: release });
    navigation.go({ release: { ...asked, release, ...change } });
  };
  const service = asked.service ?? found?.service;
  const example = found?.sha ? found.sha.slice(0, 7) : '26d88eb';
  return (
    <form
      class="wrap title question ask"
      aria-label="Ask about a release"
      onSubmit={(event) => {
        event.preventDefault();
        ask({});
      }}
    >
      <span>Is</span>
      <input
        class="field mono"
        type="search"
        aria-label="Version or commit"
        placeholder="any release"
        maxLength={128}
        value={text}
        onInput={({ currentTarget }) => setTyped({ text: currentTarget.value, of: asked.release })}
        onChange={() => text.trim() !== (asked.release ?? '') && ask({})}
      />
      <span>of</span>
      <Choice
        label="Service"
        value={service}
        names={[...(board?.rows.keys() ?? [])]}
        all="any service"
        onChoose={(name) => ask({ service: name })}
      />
      <span>in</span>
      <Choice
        label="Environment"
        value={environment}
        names={board?.environments ?? []}
        all="any environment"
        onChoose={(name) =>
          ask({ environment: name, ...(found && { service: found.service, release: nameOf(found) }) })
        }
      />
      <span>?</span>
      <span class="small">
        A version, or at least 4 characters of a commit such as <code>{plain(example)}</code>
      </span>
    </form>
  );
}
