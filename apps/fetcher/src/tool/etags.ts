import { LRUCache } from 'lru-cache';

/** A cached response, for the next conditional request. */
export interface CachedAnswer {
  /** `undefined` if the response is cached only because the tool doesn't want to be polled again yet. */
  readonly etag: string | undefined;
  /** The URL that answered, after redirects; the ETag is valid only for it. */
  readonly from: string;
  /** As JSON, which takes half the memory of objects; `undefined` if the value is undefined. */
  readonly picked: string | undefined;
  readonly next: string | undefined;
  /** The earliest time of the next request, by the fetcher's clock. */
  readonly notBeforeMs: number;
}

const entriesMax = 20_000;
const bytesMax = 64 * 1024 * 1024;

/** Cached responses by caller and URL; the least recently used ones are removed first (fetcher §7.2). */
export class Etags extends LRUCache<string, CachedAnswer> {
  constructor(bounds: { readonly entries: number; readonly bytes: number } = { entries: entriesMax, bytes: bytesMax }) {
    super({ max: bounds.entries, maxSize: bounds.bytes, sizeCalculation: bytesOf });
  }
}

function bytesOf({ etag = '', from, picked = '', next }: CachedAnswer, key: string): number {
  const textBytes = key.length + etag.length + from.length + (next?.length ?? 0);
  return textBytes + Buffer.byteLength(picked);
}
