import Table from 'cli-table3';
import type { Output } from '../output.ts';

/** What is shown as a table on a terminal, else as one line for each row with tabs between the cells. */
export interface Listing {
  readonly head: readonly string[];
  /** Texts as they are, those of strangers too. A cell of several lines is for terminals only. */
  readonly rows: readonly (readonly (string | readonly string[])[])[];
  /** The colour of a cell on a terminal, by its first line. */
  readonly styleOf?: (text: string, column: number) => Parameters<Output['styled']>[0] | undefined;
}

export function show(out: Output, { head, rows, styleOf }: Listing): void {
  if (!out.isTerminal) {
    for (const row of rows) out.line(row.map((cell) => out.text([cell].flat().join(' '))).join('\t'));
    return;
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
  out.line(tableOf([head.map((text) => out.styled('bold', out.text(text))), ...cells]));
}

function tableOf(lines: readonly string[][]): string {
  const none = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'];
  const inner = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'];
  const table = new Table({
    chars: { ...Object.fromEntries([...none, ...inner].map((name) => [name, ''])), middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...lines);
  return table.toString();
}
