import { LRUCache } from 'lru-cache';

/** What was taken from an answer, for the next time that the same is asked. */
export interface Held {
  /** `undefined`: the answer is held only because it must not be asked for again yet. */
  readonly etag: string | undefined;
  /** The address that answered, which is another one after a redirect; the ETag says nothing of other addresses. */
  readonly from: string;
  /** As JSON, which takes half the room of the objects that it tells of; `undefined` is held as itself. */
  readonly picked: string | undefined;
  /** The link of the next page. */
  readonly next: string | undefined;
  /** By the own clock: not to be asked for earlier. */
  readonly notBeforeMs: number;
}

const entriesMax = 20_000;
const bytesMax = 64 * 1024 * 1024;

/** Answers by caller and address; those that were not used for longest go first (fetcher §7.2). */
export class Etags {
  readonly #held: LRUCache<string, Held>;

  constructor(bounds: { readonly entries: number; readonly bytes: number } = { entries: entriesMax, bytes: bytesMax }) {
    this.#held = new LRUCache({ max: bounds.entries, maxSize: bounds.bytes, sizeCalculation: bytesOf });
  }

  get(key: string): Held | undefined {
    return this.#held.get(key);
  }

  set(key: string, held: Held): void {
    this.#held.set(key, held);
  }

  delete(key: string): void {
    this.#held.delete(key);
  }

  forget(): void {
    this.#held.clear();
  }
}

function bytesOf({ etag = '', from, picked = '', next }: Held, key: string): number {
  const words = key.length + etag.length + from.length + (next?.length ?? 0);
  return words + Buffer.byteLength(picked);
}
