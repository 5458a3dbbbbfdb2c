import Table from 'cli-table3';
import type { Output } from '../output.ts';

/** What is shown as a table on a terminal, else as one line for each row with tabs between the cells. */
export interface Listing {
  readonly head: readonly string[];
  /** Texts as they are, those of strangers too. A cell of several lines is for terminals only. */
  readonly rows: readonly (readonly (string | readonly string[])[])[];
  /** Columns of a terminal that the table must fit; absent, it is as wide as its cells. */
  readonly widthMax?: number;
  /** The colour of a cell on a terminal, by its first line. */
  readonly styleOf?: (text: string, column: number) => Parameters<Output['styled']>[0] | undefined;
}

/** Gives the heads of the columns that have no room. */
export function show(out: Output, { head, rows, styleOf, widthMax }: Listing): readonly string[] {
  if (!out.isTerminal) {
    for (const row of rows) out.line(row.map((cell) => out.text([cell].flat().join(' '))).join('\t'));
    return [];
  }
  const cells = rows.map((row) =>
    row.map((cell, column) => {
      const lines = [cell].flat();
      const style = styleOf?.(lines[0] ?? '', column);
      // What separates lines inside a text of a stranger is shown as an escape: it must not look like a row of ours.
      const shown = lines.map((line) => out.text(line));
      return (style ? shown.map((line) => out.styled(style, line)) : shown).join('\n');
    }),
  );
  const lines = [head.map((text) => out.styled('bold', out.text(text))), ...cells];
  const widths = widthMax === undefined ? undefined : fittingWidths(widthsOf(lines), widthMax);
  const count = widths?.length ?? head.length;
  out.line(
    tableOf(
      lines.map((line) => line.slice(0, count)),
      widths,
    ).toString(),
  );
  return head.slice(count);
}

const gap = 2;
/** A column that is narrower says nothing. */
const columnMin = 8;

/** Natural widths, made narrower from the widest on, and fewer where there is no room for all. */
function fittingWidths(natural: readonly number[], widthMax: number): number[] {
  const roomFor = (count: number) => widthMax - gap * (count - 1);
  const least = (count: number) => natural.slice(0, count).reduce((sum, width) => sum + Math.min(width, columnMin), 0);
  let count = natural.length;
  while (count > 1 && least(count) > roomFor(count)) count -= 1;
  const widths = natural.slice(0, count);
  const excess = () => widths.reduce((sum, width) => sum + width, 0) - roomFor(count);
  while (excess() > 0 && Math.max(...widths) > columnMin)
    widths[widths.indexOf(Math.max(...widths))] = Math.max(...widths) - 1;
  return widths;
}

/** As many columns of a terminal as the table gives each of its own. */
function widthsOf(lines: readonly string[][]): number[] {
  const table = tableOf(lines);
  // It measures the cells when it is drawn.
  table.toString();
  return table.options.colWidths as number[];
}

function tableOf(lines: readonly string[][], colWidths: readonly number[] = []): Table.Table {
  const none = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'];
  const inner = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'];
  const table = new Table({
    chars: { ...Object.fromEntries([...none, ...inner].map((name) => [name, ''])), middle: '  ' },
    colWidths: [...colWidths],
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...lines);
  return table;
}
