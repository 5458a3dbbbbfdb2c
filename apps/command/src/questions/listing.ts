import Table from 'cli-table3';
import type { Output } from '../output.ts';

/** Rows that are printed as a table on a terminal, and otherwise as tab-separated lines. */
export interface Listing {
  readonly head: readonly string[];
  /** Raw texts, some of them user-supplied. Only a terminal shows cells with several lines. */
  readonly rows: readonly (readonly (string | readonly string[])[])[];
  /** The terminal width that the table must fit. Without it, the table is as wide as its cells require. */
  readonly widthMax?: number;
  /** Returns the colour for a cell, given its first line. */
  readonly styleOf?: (text: string, column: number) => Parameters<Output['styled']>[0] | undefined;
}

/** Prints the rows. Returns the heads of the columns that don't fit. */
export function show(out: Output, { head, rows, styleOf, widthMax }: Listing): readonly string[] {
  if (!out.isTerminal) {
    for (const row of rows) out.line(row.map((cell) => out.text([cell].flat().join(' '))).join('\t'));
    return [];
  }
  const cells = rows.map((row) =>
    row.map((cell, column) => {
      const lines = [cell].flat();
      const style = styleOf?.(lines[0] ?? '', column);
      // Line separators within a text are escaped, so that a text can't look like another row.
      const shown = lines.map((line) => out.text(line));
      return (style ? shown.map((line) => out.styled(style, line)) : shown).join('\n');
    }),
  );
  const lines = [head.map((text) => out.styled('bold', out.text(text))), ...cells];
  const widths = widthMax === undefined ? undefined : fittingWidths(widthsOf(lines), widthMax);
  const count = widths?.length ?? head.length;
  const shown = lines.map((line) => line.slice(0, count));
  out.line(tableOf(shown, widths).toString());
  return head.slice(count);
}

const gap = 2;
const columnMin = 8;

/** Computes column widths: the widest columns are reduced first, and columns that still don't fit are dropped. */
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

/** The width of each table column, as the table measures it. */
function widthsOf(lines: readonly string[][]): number[] {
  const table = tableOf(lines);
  // The table measures its cells when it is drawn.
  table.toString();
  return table.options.colWidths as number[];
}

function tableOf(lines: readonly string[][], colWidths: readonly number[] = []): Table.Table {
  const outer = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'];
  const inner = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'];
  const table = new Table({
    chars: { ...Object.fromEntries([...outer, ...inner].map((name) => [name, ''])), middle: '  ' },
    colWidths: [...colWidths],
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...lines);
  return table;
}
