import type { ComponentChildren } from 'preact';
import { type CsvValue, csvOf } from '../ui/csv.ts';
import { download } from '../ui/download.ts';
import { numberText } from './figures.ts';
import { ListTable } from './list-table.tsx';

/** `value` is for CSV, `shown` for the page. */
export type Cell = CsvValue | { readonly value: CsvValue; readonly shown: ComponentChildren };

export interface TableContent {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export function Table({ title, head, rows }: TableContent & { readonly title: string }) {
  return (
    <section ref={reachable} class="scroller" aria-label={`Table: ${title}`}>
      <ListTable class="" head={head} rows={rows.map((cells) => cells.map(shown))} />
    </section>
  );
}

export function CsvButton({ title, head, rows }: TableContent & { readonly title: string }) {
  const fileName = `shiplog-${title.toLowerCase().replace(/[^a-z]+/g, '-')}.csv`;
  const save = () =>
    download(
      fileName,
      csvOf(
        head,
        rows.map((cells) => cells.map(plainOf)),
      ),
      'text/csv',
    );
  return (
    <button type="button" class="toggle firm soft" onClick={save}>
      CSV<span class="unseen"> of {title}</span>
    </button>
  );
}

export function cell(value: CsvValue, shownAs: ComponentChildren): Cell {
  return { value, shown: shownAs };
}

function plainOf(content: Cell): CsvValue {
  return content !== null && typeof content === 'object' ? content.value : content;
}

function shown(content: Cell): ComponentChildren {
  if (content === null) return '—';
  if (typeof content === 'number') return numberText(content);
  return typeof content === 'object' ? content.shown : content;
}

/** A scrolling element must be reachable by keyboard. */
function reachable(element: HTMLElement | null): void {
  if (element) element.tabIndex = 0;
}
