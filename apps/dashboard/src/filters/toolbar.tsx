import type { TargetedKeyboardEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { Filter } from '../board/filter.ts';
import type { Counts } from '../board/shown.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { ShareButton } from '../ui/share-button.tsx';
import { BoardMenus } from './board-menus.tsx';
import { ColumnsMenu } from './columns-menu.tsx';
import { GlobChips } from './glob-chips.tsx';
import { PresetsMenu } from './presets-menu.tsx';
import { TeamMenu } from './team-menu.tsx';

const kindsOfEvents = ['failed', 'running'] as const;
const kindsOfBoard = [...kindsOfEvents, 'behind'] as const;
const kindWords = { failed: 'Failed only', running: 'Running', behind: 'Behind' } as const;
const kindTitles = {
  failed: 'Failed and not retried',
  running: 'In progress, including retries after a failure',
  behind: 'Behind the previous environment',
} as const;

interface ToolbarProps {
  readonly environments: readonly string[];
  readonly columns?: readonly string[];
  /** The counts on the filter chips; `undefined` for the feed, which doesn't count events. */
  readonly counts?: Pick<Counts, 'failed' | 'running' | 'behind'>;
  /** Adds the controls for grouping and time travel. */
  readonly isBoard?: boolean;
}

export function Toolbar({ environments, columns, counts, isBoard = true }: ToolbarProps) {
  const { navigation, connection } = useApp();
  const { filter, asof } = useAddress();
  const board = useStore(connection.board);
  const toggle = (only: NonNullable<Filter['only']>) =>
    navigation.narrow({ only: filter.only === only ? undefined : only });
  return (
    <div class="bar" role="toolbar" aria-label="Filters">
      <Search services={board ? [...board.rows.keys()] : []} environments={environments} />
      <GlobChips kind="services" />
      <GlobChips kind="environments" />
      {(counts ? kindsOfBoard : kindsOfEvents).map((only) => (
        <button
          key={only}
          type="button"
          class="chip"
          title={kindTitles[only]}
          aria-pressed={filter.only === only}
          onClick={() => toggle(only)}
        >
          {kindWords[only]} {counts && <b class="chip-count">{counts[only]}</b>}
        </button>
      ))}
      <TeamMenu />
      <PresetsMenu />
      {columns && isBoard && <BoardMenus />}
      <span class="space" />
      {columns && isBoard && asof === undefined && (
        <Link class="chip" to={{ asof: 'now' }} title="Board at another time">
          As of <b>now</b>
        </Link>
      )}
      {columns && <ColumnsMenu environments={environments} columns={columns} />}
      <ShareButton />
    </div>
  );
}

/** Filters by text while the user types. Enter turns `service:` or `environment:` with a name or a glob into a chip. */
function Search({ services, environments }: Readonly<Record<'services' | 'environments', readonly string[]>>) {
  const { navigation } = useApp();
  const { filter } = useAddress();
  // Keep the typed text while it matches the filter that it set, so that keys pressed in a busy page are not lost.
  const [typed, setTyped] = useState({ text: filter.text ?? '', filtered: filter.text });
  const text = typed.filtered === filter.text ? typed.text : (filter.text ?? '');
  const type = (value: string) => {
    const filtered = isChip(value) ? navigation.address.value.filter.text : value || undefined;
    setTyped({ text: value, filtered });
    if (!isChip(value)) navigation.narrow({ text: filtered }, 'replace');
  };
  const enter = ({ key, currentTarget }: TargetedKeyboardEvent<HTMLInputElement>) => {
    const chip = chipIn(currentTarget.value);
    if (key !== 'Enter' || !chip) return;
    setTyped({ text: '', filtered: undefined });
    const { kind, glob } = chip;
    navigation.narrow({ text: undefined, [kind]: [...new Set([...navigation.address.value.filter[kind], glob])] });
  };
  const suggestions = text.startsWith('env')
    ? environments.map((name) => `environment:${name}`)
    : services.slice(0, 200).map((name) => `service:${name}`);
  return (
    <>
      <input
        class="field"
        type="search"
        list="names"
        placeholder="Filter names, versions"
        aria-label="Filter by service, version or actor; press Enter to turn service:name or environment:name (with *) into a filter"
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={enter}
      />
      <datalist id="names">
        {text.includes(':') && suggestions.map((suggestion) => <option key={suggestion} value={suggestion} />)}
      </datalist>
    </>
  );
}

/** Whether a text may become a chip. Such a text filters nothing until Enter is pressed. */
function isChip(text: string): boolean {
  return /[*?]|^(service|environment|env):/.test(text);
}

/** The chip for a text. A glob without `environment:` applies to services. */
function chipIn(text: string): { readonly kind: 'services' | 'environments'; readonly glob: string } | undefined {
  const [, word, named] = /^(service|environment|env):(.*)$/.exec(text) ?? [];
  const glob = (named ?? text).trim();
  if (glob === '' || (named === undefined && !/[*?]/.test(text))) return undefined;
  return { kind: named === undefined || word === 'service' ? 'services' : 'environments', glob };
}
