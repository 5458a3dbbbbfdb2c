const [newline, carriageReturn] = [0x0a, 0x0d];

/** How a CSV is written, by its first line. */
export interface CsvDialect {
  /** A comma, or the semicolon of spreadsheets in countries that write decimals with a comma. */
  readonly delimiter: ',' | ';';
  /** Lines end in U+000D alone, as old spreadsheets write them. */
  readonly hasBareReturns: boolean;
}

/** Whether the beginning of a file shows its dialect: it has a whole line and the byte behind it. */
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
