import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { escapeUnsafe } from '@shiplog/text';
import { exitCodes, Failure, usageFailure } from '../failure.ts';

export type Bytes = AsyncIterable<Buffer>;
/** The chunks of a stream, which may have an encoding. */
export type Texts = AsyncIterable<Buffer | string>;

/**
 * The bytes of a file, or of standard input for `-`, decompressed if they are gzip. The first two bytes show that,
 * because standard input has no name.
 * @throws Failure, while reading, for an unreadable file and for damaged gzip.
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
        `${escapeUnsafe(path)} is damaged or truncated gzip. Create the file again.`,
        error,
      );
    }
    throw usageFailure(
      `Can't read ${escapeUnsafe(path)} (${code}). Give the path of a readable file, or - for standard input.`,
    );
  }
}

/** The first two bytes (if there are that many), and the complete stream. */
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
