import { Readable } from 'node:stream';
import { type FieldError, limits } from '@shiplog/contract';
import { CsvError, type Info, parse } from 'csv-parse';
import { Beginning, type Bytes } from './file-bytes.ts';
import { itemsOf, linesOf, type Piece, Unreadable } from './pieces.ts';

export type RowValue = Readonly<Record<string, unknown>>;

/** A row of a file, or the reason why it can't be read. */
export type FileRow =
  | { readonly line: number; readonly value: RowValue }
  | { readonly line: number; readonly faults: readonly FieldError[] };

/**
 * Yields the rows of a file in order. The first character determines the format: `[` starts a JSON array, `{` starts
 * NDJSON, and anything else starts the header of a CSV.
 */
export async function* rowsOf(bytes: Bytes): AsyncGenerator<FileRow> {
  const beginning = new Beginning(bytes);
  await beginning.readUntil((head) => firstCharacter(head) !== undefined);
  const first = firstCharacter(beginning.head);
  if (first === undefined) return;
  if (first === '[') yield* arrayRows(beginning.all());
  else if (first === '{') yield* jsonRows(linesOf(beginning.all()));
  else {
    await beginning.readUntil((head) => head.length > limits.bodyBytes || showsDialect(head));
    yield* csvRows(beginning.all(), dialectOf(beginning.head));
  }
}

function firstCharacter(head: Buffer): string | undefined {
  return head.toString('latin1').trimStart()[0];
}

async function* arrayRows(bytes: Bytes): AsyncGenerator<FileRow> {
  try {
    yield* jsonRows(itemsOf(bytes));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    yield fault(error.line, error.message);
  }
}

async function* jsonRows(pieces: AsyncIterable<Piece>): AsyncGenerator<FileRow> {
  for await (const { line, bytes } of pieces) {
    const text = textOf(bytes);
    if (typeof text === 'object') yield fault(line, text.fault);
    else if (text.trim() !== '') yield jsonRow(line, text);
  }
}

function jsonRow(line: number, text: string): FileRow {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { line, value: value as RowValue };
  } catch {
    return fault(line, 'is not valid JSON');
  }
  return fault(line, 'must be a JSON object');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Buffer | undefined): string | { readonly fault: string } {
  if (!bytes) return { fault: 'is longer than an event can be' };
  try {
    return utf8.decode(bytes);
  } catch {
    return { fault: 'is not UTF-8; save the file as UTF-8' };
  }
}

const [newline, carriageReturn] = [0x0a, 0x0d];

/** The dialect of a CSV, detected from the first line. */
interface CsvDialect {
  /** A comma, or a semicolon, which locales with a decimal comma use. */
  readonly delimiter: ',' | ';';
  /** Whether lines end with U+000D only, as in old spreadsheets. */
  readonly hasBareReturns: boolean;
}

/** Whether the start of a file is enough to detect the dialect: it needs a complete line and the byte after it. */
function showsDialect(head: Buffer): boolean {
  const end = firstLineEnd(head);
  return end >= 0 && end < head.length - 1;
}

function dialectOf(head: Buffer): CsvDialect {
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

async function* csvRows(bytes: Bytes, { delimiter, hasBareReturns }: CsvDialect): AsyncGenerator<FileRow> {
  const parser = parse({
    delimiter,
    info: true,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: 1024 * 1024,
  });
  const source = Readable.from(csvText(hasBareReturns ? withNewlines(bytes) : bytes));
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let header: readonly string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      const line = info.lines - record.join('').split('\n').length + 1;
      if (header) yield csvRow(line, header, record);
      else {
        header = record.map((name) => name.trim());
        const twice = header.find((name, at) => header?.indexOf(name) !== at);
        if (twice !== undefined) return yield fault(line, 'appears twice in the header', twice);
      }
    }
  } catch (error) {
    if (error instanceof Unreadable) yield fault(error.line, error.message);
    else if (error instanceof CsvError) yield fault(Number(error.lines), `cannot be read as CSV: ${csvFault(error)}`);
    else throw error;
  }
}

async function* withNewlines(bytes: Bytes): Bytes {
  for await (const chunk of bytes) yield Buffer.from(chunk.map((byte) => (byte === 0x0d ? 0x0a : byte)));
}

async function* csvText(bytes: Bytes): AsyncGenerator<string> {
  for await (const { line, bytes: held } of linesOf(bytes)) {
    const text = textOf(held);
    // A line that can't be decoded ends the CSV, because the state of its quotes is unknown.
    if (typeof text === 'object') throw new Unreadable(line, text.fault);
    yield `${text}\n`;
  }
}

function csvRow(line: number, header: readonly string[], cells: readonly string[]): FileRow {
  if (cells.length !== header.length) {
    return fault(line, `has ${cells.length} cells, but the header has ${header.length}`);
  }
  // An empty cell means an absent field.
  return { line, value: Object.fromEntries(header.map((name, at) => [name, cells[at] || undefined])) };
}

function csvFault({ code }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is not closed';
  return code === 'CSV_MAX_RECORD_SIZE'
    ? 'the row is longer than an event can be; check for an unclosed quote'
    : 'unexpected quote; double it inside a quoted cell';
}

function fault(line: number, message: string, column?: string): FileRow {
  return { line, faults: [{ pointer: column === undefined ? '' : `/${column}`, message }] };
}
