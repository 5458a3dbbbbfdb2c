import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { fixedRange, titleOf } from '../range/range.ts';
import type { Address } from '../state/address.ts';
import { type Preset, sharedPresets, withPresets } from '../state/presets.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useBoardContext, useShown } from '../ui/app.ts';
import { useCommand } from '../ui/commands.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { downloadCsv } from '../ui/download-csv.ts';
import { Menu } from '../ui/menu.tsx';
import { boardCsv } from './board-csv.ts';

/** Named views from the catalog and from this browser, the link to this view, and `children`: its table as CSV. */
export function ShareMenu({ children }: { readonly children: ComponentChildren }) {
  const { navigation, connection } = useApp();
  const { view, range, asof } = useAddress();
  const absolute = (to: Partial<Address>) => new URL(navigation.linkTo(to), location.href).href;
  const link = () => absolute({});
  const isBoard = view === 'board' && (asof === undefined || asof === 'now');
  const named = view === 'changes' ? range?.name : undefined;
  const moving = isBoard ? 'The board' : named && `“${titleOf(named)}”`;
  const fixed = () => {
    const nowMs = connection.now.present.value;
    return absolute(isBoard ? { asof: new Date(nowMs).toISOString() } : { range: range && fixedRange(range, nowMs) });
  };
  const button = useRef<HTMLDivElement>(null);
  // The menu shows that the link was copied.
  useCommand('share', () => {
    button.current?.closest('details')?.setAttribute('open', '');
    button.current?.querySelector('button')?.click();
  });
  return (
    <Menu
      title={
        <b>
          <span class="chip-detail">Save / </span>Share
        </b>
      }
    >
      <Presets />
      <div ref={button} class="actions wrap">
        <CopyButton text={link} what="Copy link" />
        {moving && <CopyButton text={fixed} what="Copy link with fixed times" />}
        {children}
      </div>
      {moving && (
        <p class="small">
          {moving} moves on with time. A link with fixed times always shows this {isBoard ? 'moment' : 'range'}.
        </p>
      )}
    </Menu>
  );
}

export function BoardCsvButton() {
  const shown = useShown();
  const context = useBoardContext();
  const save = () => downloadCsv('shiplog-board.csv', boardCsv(shown, context));
  useCommand('csv', save);
  return (
    <button type="button" class="chip" onClick={save}>
      Download CSV
    </button>
  );
}

function Presets() {
  const { navigation, preferences, catalog } = useApp();
  const { presets } = useStore(preferences);
  const shared = sharedPresets(useStore(catalog).presets);
  const [name, setName] = useState('');
  const save = (event: Event) => {
    event.preventDefault();
    if (name.trim() === '') return;
    preferences.prefer({ presets: withPresets(presets, [{ name: name.trim(), search: navigation.linkTo({}) }]) });
    setName('');
  };
  return (
    <>
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
    </>
  );
}

function PresetLink({ preset: { name, search } }: { readonly preset: Preset }) {
  return (
    <a href={search || '?'}>
      <bdi>{name}</bdi>
    </a>
  );
}
