import { useEffect, useState } from 'preact/hooks';
import type { Filter } from '../board/filter.ts';
import type { Counts } from '../board/shown.ts';
import { board as liveBoard } from '../live/connection.ts';
import { go, linkTo, useAddress } from '../navigation.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { useStore } from '../ui/store.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { FilterChip } from './filter-chip.tsx';
import { PresetsMenu } from './presets-menu.tsx';

/** What stands above the board and the feed: search, filters as chips, columns, presets. */
export function Toolbar({
  environments,
  columns,
  counts,
}: {
  readonly environments: readonly string[];
  readonly columns?: readonly string[];
  /** What the board has of each kind; the feed has events, which are not counted. */
  readonly counts?: Pick<Counts, 'failed' | 'running'>;
}) {
  const { filter } = useAddress();
  const board = useStore(liveBoard);
  const set = (change: Partial<Filter>) => go({ filter: { ...filter, ...change } });
  const toggle = (only: NonNullable<Filter['only']>) => set({ only: filter.only === only ? undefined : only });
  return (
    <div class="bar" role="toolbar" aria-label="Filters">
      <Search filter={filter} services={board ? [...board.rows.keys()] : []} environments={environments} />
      {filter.services.map((glob) => (
        <FilterChip
          key={glob}
          what="service"
          words={glob}
          onRemove={() => set({ services: filter.services.filter((other) => other !== glob) })}
        />
      ))}
      {filter.environments.map((glob) => (
        <FilterChip
          key={glob}
          what="environment"
          words={glob}
          onRemove={() => set({ environments: filter.environments.filter((other) => other !== glob) })}
        />
      ))}
      <button type="button" class="chip" aria-pressed={filter.only === 'failed'} onClick={() => toggle('failed')}>
        Failed only {counts && <b>{counts.failed}</b>}
      </button>
      <button type="button" class="chip" aria-pressed={filter.only === 'running'} onClick={() => toggle('running')}>
        Running {counts && <b>{counts.running}</b>}
      </button>
      <PresetsMenu />
      <span class="space" />
      {columns && <ColumnsMenu environments={environments} columns={columns} />}
      <CopyButton what="Share" text={() => new URL(linkTo({}), location.href).href} />
    </div>
  );
}

/** Typed text filters at once; `service:` or `environment:` with a name or a glob becomes a chip on Enter. */
function Search({
  filter,
  services,
  environments,
}: {
  readonly filter: Filter;
  readonly services: readonly string[];
  readonly environments: readonly string[];
}) {
  const [text, setText] = useState(filter.text ?? '');
  useEffect(() => setText(filter.text ?? ''), [filter.text]);
  const type = (value: string) => {
    setText(value);
    if (!isChip(value)) go({ filter: { ...filter, text: value || undefined } }, 'replace');
  };
  const enter = (event: KeyboardEvent) => {
    const chip = chipIn(text);
    if (event.key !== 'Enter' || !chip) return;
    setText('');
    const { kind, glob } = chip;
    go({ filter: { ...filter, text: undefined, [kind]: [...new Set([...filter[kind], glob])] } });
  };
  const offers = text.startsWith('env')
    ? environments.map((name) => `environment:${name}`)
    : services.slice(0, 200).map((name) => `service:${name}`);
  return (
    <>
      <input
        class="field"
        type="search"
        list="names"
        placeholder="Filter services, versions, actors …"
        aria-label="Filter by service, version or actor; service:name or environment:name with * becomes a filter on Enter"
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={enter}
      />
      <datalist id="names">
        {text.includes(':') && offers.map((offer) => <option key={offer} value={offer} />)}
      </datalist>
    </>
  );
}

/** Whether a text is, or may become, a chip: such a word filters nothing before Enter. */
function isChip(text: string): boolean {
  return /[*?]|^(service|environment|env):/.test(text);
}

/** A glob stands for services unless it says what it is for. */
function chipIn(text: string): { readonly kind: 'services' | 'environments'; readonly glob: string } | undefined {
  const [, word, named] = /^(service|environment|env):(.*)$/.exec(text) ?? [];
  if (named !== undefined)
    return named.trim() === ''
      ? undefined
      : { kind: word === 'service' ? 'services' : 'environments', glob: named.trim() };
  return /[*?]/.test(text) ? { kind: 'services', glob: text.trim() } : undefined;
}
