import { limits } from '@shiplog/contract';
import type { Bytes } from './file-bytes.ts';

/** The bytes of one row in a file, and the line where they start. Has no bytes if the row is too long. */
export interface Piece {
  readonly line: number;
  readonly bytes: Buffer | undefined;
}

/** No event is longer, so longer pieces are not buffered. */
const pieceBytesMax = limits.bodyBytes;

const newline = 0x0a;

/** The lines of a file, including empty ones. Only U+000A ends a line: JSON may contain other separators. */
export async function* linesOf(bytes: Bytes): AsyncGenerator<Piece> {
  const held = new PieceBytes();
  let line = 1;
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      held.add(chunk.subarray(from, end));
      yield { line, bytes: held.take() };
      line += 1;
      from = end + 1;
    }
    held.add(chunk.subarray(from));
  }
  if (!held.isEmpty) yield { line, bytes: held.take() };
}

/** Thrown if the file can't be read from this line on. */
export class Unreadable extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

const noArray = 'is not a JSON array from here on';

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const isSpace = (byte: number) => byte === 0x20 || byte === newline || byte === 0x0d || byte === 0x09;

/**
 * Yields the raw items of a JSON array, so that an array of any length takes the memory of one item. Items are not
 * validated. @throws Unreadable if the text isn't an array, or ends before the array does.
 */
export async function* itemsOf(bytes: Bytes): AsyncGenerator<Piece> {
  const held = new PieceBytes();
  const at = { line: 1, begin: 1, depth: 0, isText: false, isEscaped: false, state: 'before' as State };
  for await (const chunk of bytes) {
    let from = 0;
    for (const [index, byte] of chunk.entries()) {
      if (byte === newline) at.line += 1;
      if (at.state !== 'item') {
        if (isSpace(byte)) continue;
        at.state = stateAfter(at.state, byte, at.line);
        if (at.state !== 'item') continue;
        from = index;
        Object.assign(at, { begin: at.line, depth: 0, isText: false, isEscaped: false });
      }
      if (!endsItem(at, byte)) continue;
      held.add(chunk.subarray(from, index));
      yield { line: at.begin, bytes: held.take() };
      at.state = byte === comma ? 'next' : 'after';
    }
    if (at.state === 'item') held.add(chunk.subarray(from));
  }
  if (at.state !== 'after') throw new Unreadable(at.line, noArray);
}

/** The states, in order: before `[`; before the first item or `]`; before the next item; in an item; after `]`. */
type State = 'before' | 'first' | 'next' | 'item' | 'after';

function stateAfter(state: State, byte: number, line: number): State {
  if (state === 'before' && byte === openArray) return 'first';
  if (state === 'first' && byte === closeArray) return 'after';
  if ((state === 'first' || state === 'next') && byte !== comma && byte !== closeArray) return 'item';
  throw new Unreadable(line, noArray);
}

interface ItemPlace {
  depth: number;
  isText: boolean;
  isEscaped: boolean;
}

/** Whether the byte is the comma or the bracket after the item. */
function endsItem(at: ItemPlace, byte: number): boolean {
  if (at.isText) {
    if (at.isEscaped) at.isEscaped = false;
    else if (byte === backslash) at.isEscaped = true;
    else if (byte === quote) at.isText = false;
    return false;
  }
  if (at.depth === 0 && (byte === comma || byte === closeArray)) return true;
  if (byte === quote) at.isText = true;
  else if (byte === openArray || byte === openObject) at.depth += 1;
  else if (byte === closeArray || byte === closeObject) at.depth -= 1;
  return false;
}

/** Collects the bytes of one piece. For a piece that is too long, it keeps only that fact. */
class PieceBytes {
  #parts: Buffer[] = [];
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length <= pieceBytesMax) this.#parts.push(part);
    else this.#parts = [];
  }

  take(): Buffer | undefined {
    const bytes = this.#length <= pieceBytesMax ? Buffer.concat(this.#parts) : undefined;
    this.#parts = [];
    this.#length = 0;
    return bytes;
  }
}
