import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { escapeUnsafe } from '@shiplog/text';
import { exitCodes, Failure, usageFailure } from '../failure.ts';

export type Bytes = AsyncIterable<Buffer>;
/** The chunks of a stream; strings if the stream has an encoding. */
export type Texts = AsyncIterable<Buffer | string>;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Reads the first bytes of a stream, without a byte order mark, to detect its format. */
export class Beginning {
  readonly #iterator: AsyncIterator<Buffer>;
  #isWhole = false;
  head: Buffer = Buffer.alloc(0);

  constructor(bytes: Bytes) {
    this.#iterator = bytes[Symbol.asyncIterator]();
  }

  async readUntil(isEnough: (head: Buffer) => boolean): Promise<void> {
    while (!isEnough(this.head) && !this.#isWhole) {
      const { done, value } = await this.#iterator.next();
      this.#isWhole = done ?? false;
      if (value) this.head = Buffer.concat([this.head, value]);
      if (this.head.subarray(0, 3).equals(byteOrderMark)) this.head = this.head.subarray(3);
    }
  }

  async *all(): Bytes {
    yield this.head;
    yield* { [Symbol.asyncIterator]: () => this.#iterator };
  }
}

/**
 * Yields the bytes of a file, or of standard input for `-`. Gzip is detected by its first two bytes, because standard
 * input has no name, and decompressed. @throws Failure, while reading, for an unreadable file and for damaged gzip.
 */
export async function* fileBytes(path: string, stdin: Texts): Bytes {
  try {
    const beginning = new Beginning(buffersOf(path === '-' ? stdin : createReadStream(path)));
    await beginning.readUntil(({ length }) => length >= 2);
    const isGzip = beginning.head[0] === 0x1f && beginning.head[1] === 0x8b;
    const all = beginning.all();
    yield* isGzip ? pipeline(Readable.from(all), createGunzip(), () => undefined) : all;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code.startsWith('Z_')) {
      const sentence = `${escapeUnsafe(path)} is damaged or truncated gzip. Create the file again.`;
      throw new Failure(exitCodes.no, sentence, error);
    }
    throw usageFailure(
      `Can't read ${escapeUnsafe(path)} (${code}). Give the path of a readable file, or - for standard input.`,
    );
  }
}

async function* buffersOf(texts: Texts): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text);
}
