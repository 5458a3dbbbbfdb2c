/** A number is written as it is; nothing is an empty cell. */
export type CsvValue = string | number | null;

/**
 * A table as CSV (RFC 4180), in lines that end with CRLF. A text that a spreadsheet would take for a formula begins with
 * an apostrophe, since names come from strangers.
 */
export function csvOf(head: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return [head, ...rows].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
