import { Mark } from '@shiplog/panels/ui/mark.tsx';
import type { TargetedKeyboardEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { Filter } from '../board/filter.ts';
import type { Counts } from '../board/shown.ts';
import { imported } from '../state/imported.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { holdsTitle, runCommand, useCommand } from '../ui/commands.ts';
import { Later } from '../ui/later.tsx';
import { Link } from '../ui/link.tsx';
import { useLoaded } from '../ui/loaded.ts';
import { GlobChips } from './glob-chips.tsx';
import { layoutNames } from './layout-names.ts';

const kinds = [
  { only: 'failed', word: 'Failed', shape: 'bad', title: 'Failed and not retried' },
  { only: 'running', word: 'Running', shape: 'run', title: 'In progress, including retries after a failure' },
  { only: 'behind', word: 'Drift', shape: undefined, title: 'Behind the previous stage' },
] as const;

interface ToolbarProps {
  readonly environments: readonly string[];
  readonly columns: readonly string[];
  /** The counts on the filter chips. */
  readonly counts: Pick<Counts, 'failed' | 'running' | 'behind'>;
}

export function Toolbar({ environments, columns, counts }: ToolbarProps) {
  const { navigation, connection } = useApp();
  const { filter, asof, board: state } = useAddress();
  const board = useStore(connection.board);
  const toggle = (only: NonNullable<Filter['only']>) =>
    navigation.narrow({ only: filter.only === only ? undefined : only });
  useCommand('behind', () => toggle('behind'));
  return (
    <div class="bar" role="toolbar" aria-label="Filters">
      <Search services={board ? [...board.rows.keys()] : []} environments={environments} />
      <GlobChips kind="services" />
      <GlobChips kind="environments" />
      {kinds.map(({ only, word, shape, title }) => (
        <button
          key={only}
          type="button"
          class={`chip ${shape ?? ''}`}
          title={title}
          aria-pressed={filter.only === only}
          onClick={() => toggle(only)}
        >
          {shape && <Mark shape={shape} />}
          {word} <b class="chip-count">{counts[only]}</b>
        </button>
      ))}
      <Later name="team" load={async () => (await imported(() => import('./team-menu.tsx'))).TeamMenu} meanwhile="" />
      <span class="space" />
      {state.layout === 'grid' && asof === undefined && (
        <Link class="chip" to={{ asof: 'now' }} title="Board at another time">
          <span class="chip-detail soft">As of </span>
          <b>Now</b>
        </Link>
      )}
      <button
        type="button"
        class="square soft"
        title={holdsTitle}
        aria-label={holdsTitle}
        onClick={() => runCommand('holds', navigation)}
      >
        <Mark shape="freeze" />
      </button>
      <Menus environments={environments} columns={columns} />
    </div>
  );
}

const loadMenus = () => imported(() => import('./menus.ts'));

/** The menus, which are loaded after the board is drawn. Until then, chips of the same size are in their places. */
function Menus({ environments, columns }: Pick<ToolbarProps, 'environments' | 'columns'>) {
  const answer = useLoaded(loadMenus, []);
  const { layout } = useAddress().board;
  if (answer.kind === 'here') {
    const { DisplayMenu, ShareMenu, BoardCsvButton } = answer.value.part;
    return (
      <>
        <DisplayMenu environments={environments} columns={columns} />
        <ShareMenu>
          <BoardCsvButton />
        </ShareMenu>
      </>
    );
  }
  const retry = answer.kind === 'failed' ? answer.retry : undefined;
  return (
    <>
      <button type="button" class="chip" onClick={retry}>
        Display <b class="chip-detail">{layoutNames[layout]}</b>
      </button>
      <button type="button" class="chip" onClick={retry}>
        <b>
          <span class="chip-detail">Save / </span>Share
        </b>
      </button>
    </>
  );
}

/**
 * Filters by text while the user types. Enter turns `service:` or `environment:` with a name or a glob into a chip. The
 * down arrow moves to the grid, unless it chooses among suggestions.
 */
export function Search({ services, environments }: Readonly<Record<'services' | 'environments', readonly string[]>>) {
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
  const press = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const { key, currentTarget } = event;
    if (key === 'ArrowDown' && !currentTarget.value.includes(':')) {
      runCommand('rows', navigation);
      return event.preventDefault();
    }
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
        placeholder="Filter services, versions, people"
        aria-label="Filter by service, version or actor; press Enter to turn service:name or environment:name (with *) into a filter"
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={press}
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
