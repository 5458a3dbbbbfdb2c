import { createHash } from 'node:crypto';
import { readStamp, type Stamp } from './stamp.ts';

const frameEnd = '\n\n';
const ping = ': ping\n\n';
const colon = ping.charCodeAt(0);
const frameBytesMax = 2048;

/**
 * The bytes that every subscriber of a run must get. The subscriber that is furthest ahead writes them, and all others
 * compare. Comparing is cheap, and each frame is parsed only once, whatever the number of subscribers.
 */
export class Transcript {
  /** For each frame, in order of delivery: its stamp, its id, and the number of bytes up to its end. */
  readonly frames: (Stamp & { readonly id: string; readonly endsAt: number })[] = [];
  readonly #bytes: Buffer;
  readonly #missing: Set<number>;
  #length = 0;

  /** @param events the number of published events. They are numbered from 0. */
  constructor(events: number) {
    this.#bytes = Buffer.alloc(events * frameBytesMax);
    this.#missing = new Set(Array(events).keys());
  }

  /**
   * Handles a chunk for a subscriber that has `offset` bytes of frames. Returns the number of bytes that it has
   * afterwards.
   * @throws if the chunk differs from what other subscribers got.
   */
  take(chunk: Buffer, offset: number): number {
    if (this.#has(chunk, offset)) return offset + chunk.length;
    const frames = withoutPings(chunk);
    const known = Math.min(frames.length, this.#length - offset);
    if (!this.#has(frames.subarray(0, known), offset)) throw new Error('two streams differ');
    const length = offset + frames.length;
    if (length > this.#bytes.length) throw new Error('more frames arrived than were published');
    if (length > this.#length) {
      frames.copy(this.#bytes, this.#length, known);
      this.#length = length;
      this.#readFrames();
    }
    return length;
  }

  /** The digest of all bytes so far, in hexadecimal. */
  sha256(): string {
    return createHash('sha256').update(this.#bytes.subarray(0, this.#length)).digest('hex');
  }

  #has(bytes: Buffer, offset: number): boolean {
    const end = offset + bytes.length;
    return end <= this.#length && bytes.compare(this.#bytes, offset, end) === 0;
  }

  #readFrames(): void {
    for (;;) {
      const from = this.frames.at(-1)?.endsAt ?? 0;
      const end = this.#bytes.subarray(0, this.#length).indexOf(frameEnd, from);
      if (end === -1) return;
      const text = this.#bytes.toString('latin1', from, end);
      const stamp = readStamp(text);
      if (!this.#missing.delete(stamp.number))
        throw new Error(`event ${stamp.number} arrived twice or was never published`);
      this.frames.push({ ...stamp, id: /^id: (.*)$/m.exec(text)?.[1] ?? '', endsAt: end + frameEnd.length });
    }
  }
}

/** The frames in a chunk. Pings are left out, because each connection gets them at different times. */
export function withoutPings(chunk: Buffer): Buffer {
  // No line of a frame begins with a colon, so this fast search finds every ping.
  if (!chunk.includes('\n:') && chunk[0] !== colon) return chunk;
  return Buffer.from(chunk.toString('latin1').replaceAll(ping, ''), 'latin1');
}
