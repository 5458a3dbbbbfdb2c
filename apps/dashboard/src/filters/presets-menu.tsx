import { useState } from 'preact/hooks';
import { type Preset, presetsIn, presetsText, sharedPresets, withPresets } from '../state/presets.ts';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import { download } from '../ui/download.ts';
import { Menu } from '../ui/menu.tsx';

/** Named views from the catalog and from this browser. The browser's views can be exported to a file and imported. */
export function PresetsMenu() {
  const { navigation, preferences, catalog } = useApp();
  const { presets } = useStore(preferences);
  const shared = sharedPresets(useStore(catalog).presets);
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string>();
  const save = (event: Event) => {
    event.preventDefault();
    if (name.trim() === '') return;
    preferences.prefer({ presets: withPresets(presets, [{ name: name.trim(), search: navigation.linkTo({}) }]) });
    setName('');
  };
  const load = async ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
    const text = await input.files?.[0]?.text();
    input.value = '';
    if (text === undefined) return;
    try {
      preferences.prefer({ presets: withPresets(presets, presetsIn(text)) });
      setFault(undefined);
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  return (
    <Menu title="Presets ▾">
      {shared.length > 0 && (
        <>
          <p id="shared-presets" class="small">
            Shared
          </p>
          <ul class="columns" aria-labelledby="shared-presets">
            {shared.map((preset) => (
              <li key={preset.name}>
                <PresetLink preset={preset} />
              </li>
            ))}
          </ul>
          <p class="small">In this browser</p>
        </>
      )}
      {presets.length === 0 && (
        <p class="small">A preset saves this view under a name, with its filters, columns and period.</p>
      )}
      <ul class="columns">
        {presets.map((preset) => (
          <li key={preset.name}>
            <PresetLink preset={preset} />
            <button
              type="button"
              aria-label={`Delete preset ${preset.name}`}
              onClick={() => preferences.prefer({ presets: presets.filter((other) => other !== preset) })}
            >
              ✕
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={save}>
        <input
          class="field"
          aria-label="Preset name"
          placeholder="Name"
          maxLength={80}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" class="chip" disabled={name.trim() === ''}>
          Save this view
        </button>
      </form>
      <div class="actions">
        <button
          type="button"
          class="chip"
          disabled={presets.length === 0}
          onClick={() => download('shiplog-presets.json', presetsText(presets), 'application/json')}
        >
          Export
        </button>
        <label class="chip file">
          Import
          <input class="unseen" type="file" accept="application/json,.json" onChange={load} />
        </label>
      </div>
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </Menu>
  );
}

function PresetLink({ preset: { name, search } }: { readonly preset: Preset }) {
  return (
    <a href={search || '?'}>
      <bdi>{name}</bdi>
    </a>
  );
}
