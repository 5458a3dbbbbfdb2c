import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { escapeUnsafe } from '@shiplog/text';
import { exitCodes, Failure, usageFailure } from '../failure.ts';

export type Bytes = AsyncIterable<Buffer>;
/** As a stream gives them that may have been told its encoding. */
export type Texts = AsyncIterable<Buffer | string>;

/**
 * The bytes of a file, or of standard input for `-`, unpacked where they are gzip's: that is told by their first two
 * bytes, because standard input has no name.
 * @throws Failure, while the bytes are read, for a file that cannot be read and for damaged gzip.
 */
export async function* fileBytes(path: string, stdin: Texts): Bytes {
  try {
    const { head, all } = await begun(path === '-' ? stdin : (createReadStream(path) as Texts));
    const isGzip = head[0] === 0x1f && head[1] === 0x8b;
    yield* isGzip ? pipeline(Readable.from(all), createGunzip(), () => undefined) : all;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code.startsWith('Z_')) {
      throw new Failure(
        exitCodes.no,
        `${escapeUnsafe(path)}: its gzip is damaged or cut off; make the file anew.`,
        error,
      );
    }
    throw usageFailure(
      `${escapeUnsafe(path)} cannot be read (${code}); give the path of a file, or - for standard input.`,
    );
  }
}

/** The first bytes, two where there are so many, and all of them. */
async function begun(bytes: Texts): Promise<{ readonly head: Buffer; readonly all: Bytes }> {
  const iterator = buffersOf(bytes);
  let head: Buffer = Buffer.alloc(0);
  while (head.length < 2) {
    const { done, value } = await iterator.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const all = (async function* () {
    if (head.length > 0) yield head;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
  return { head, all };
}

async function* buffersOf(texts: Texts): AsyncGenerator<Buffer, void, undefined> {
  for await (const text of texts) yield Buffer.from(text);
}
