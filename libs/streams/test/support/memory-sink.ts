import type { Sink } from '../../src/index.ts';

/** A connection in memory. While it is stalled, each frame adds a fixed number of bytes to the backlog. */
export class MemorySink implements Sink {
  /** The ids of all frames, in the order in which they were written. */
  readonly ids: string[] = [];
  closed = false;
  #bytesPerFrame = 0;
  #waitingFrames = 0;
  #drained: (() => void)[] = [];

  get backlogBytes(): number {
    return this.#waitingFrames * this.#bytesPerFrame;
  }

  write(chunk: Buffer): void {
    if (this.closed) return;
    if (chunk.length === 0) throw new Error('nothing was written');
    const frames = chunk.toString().trimEnd().split('\n');
    this.ids.push(...frames.map((frame) => frame.slice(0, frame.indexOf('|'))));
    if (this.#bytesPerFrame > 0) this.#waitingFrames += frames.length;
  }

  drained(): Promise<void> {
    if (this.closed || this.#waitingFrames === 0) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  stall(bytesPerFrame: number): void {
    this.#bytesPerFrame = bytesPerFrame;
  }

  /** Accepts the whole backlog. */
  take(): void {
    this.#bytesPerFrame = 0;
    this.#waitingFrames = 0;
    for (const resolve of this.#drained.splice(0)) resolve();
  }

  destroy(): void {
    this.close();
  }

  close(): void {
    this.closed = true;
    this.take();
  }
}
