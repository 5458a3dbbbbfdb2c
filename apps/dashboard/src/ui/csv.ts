/** The value of a cell. A number is written without quotes; `null` is an empty cell. */
export type CsvValue = string | number | null;

/**
 * A table as CSV (RFC 4180) with CRLF line endings. Names are user-supplied, so a text that a spreadsheet would read as
 * a formula gets a leading apostrophe.
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
