import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NumberList } from './number-list.ts';

const blockBytes = 16 * 1024;
const waitingBytesMax = 256 * 1024;

/**
 * Texts on disk with random access. Memory holds eight bytes per text, the write buffer and one block. The file is
 * unlinked right after it is opened, so no file remains, however the process ends.
 */
export class TextSpool {
  readonly #file: FileHandle;
  readonly #ends = new NumberList(Float64Array);
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #writtenBytes = 0;
  #block: { readonly from: number; readonly bytes: Buffer } = { from: 0, bytes: Buffer.alloc(0) };

  static async open(): Promise<TextSpool> {
    const folder = await mkdtemp(join(tmpdir(), 'shiplog-'));
    try {
      return new TextSpool(await open(join(folder, 'spool'), 'wx+', 0o600));
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  get size(): number {
    return this.#ends.size;
  }

  async add(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#ends.add(this.#writtenBytes + this.#waitingBytes);
    if (this.#waitingBytes > waitingBytesMax) await this.#write();
  }

  /** Returns the text at this index, starting from 0. */
  async at(index: number): Promise<string> {
    if (this.#waitingBytes > 0) await this.#write();
    const from = index === 0 ? 0 : this.#ends.at(index - 1);
    const to = this.#ends.at(index);
    const held = this.#block;
    // When reading backwards, the block ends with this text.
    if (from < held.from) this.#block = await this.#read(Math.min(from, Math.max(0, to - blockBytes)), to);
    else if (to > held.from + held.bytes.length) this.#block = await this.#read(from, to);
    return this.#block.bytes.toString('utf8', from - this.#block.from, to - this.#block.from);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #write(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at, this.#writtenBytes + at);
      at += bytesWritten;
    }
    this.#writtenBytes += bytes.length;
  }

  async #read(from: number, to: number): Promise<{ from: number; bytes: Buffer }> {
    const bytes = Buffer.alloc(Math.max(to - from, blockBytes));
    let filled = 0;
    for (let read = 1; read > 0 && filled < bytes.length; filled += read) {
      read = (await this.#file.read(bytes, filled, bytes.length - filled, from + filled)).bytesRead;
    }
    return { from, bytes: bytes.subarray(0, filled) };
  }
}
