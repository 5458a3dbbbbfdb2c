const [newline, carriageReturn] = [0x0a, 0x0d];

/** The dialect of a CSV, detected from its first line. */
export interface CsvDialect {
  /** A comma, or a semicolon as in locales with a decimal comma. */
  readonly delimiter: ',' | ';';
  /** Lines end with U+000D only, as in old spreadsheets. */
  readonly hasBareReturns: boolean;
}

/** Whether the start of a file shows its dialect: a complete line and the byte after it. */
export function showsDialect(head: Buffer): boolean {
  const end = firstLineEnd(head);
  return end >= 0 && end < head.length - 1;
}

export function dialectOf(head: Buffer): CsvDialect {
  const end = firstLineEnd(head);
  const line = (end < 0 ? head : head.subarray(0, end)).toString('latin1').replace(/"[^"]*"/g, '');
  const count = (character: string) => line.split(character).length;
  return {
    delimiter: count(';') > count(',') ? ';' : ',',
    hasBareReturns: head[end] === carriageReturn && head[end + 1] !== newline,
  };
}

function firstLineEnd(head: Buffer): number {
  return head.findIndex((byte) => byte === newline || byte === carriageReturn);
}
