import { parseId } from '@shiplog/contract';

/** A target's memory in the service's fetcher state (relay §8.3). */
export interface TargetMemory {
  /** Every event up to and including this id is settled. */
  readonly position: string;
  /** The number of single messages in the last minute, and when the last one was delivered. */
  readonly recent: readonly [count: number, atMs: number];
  /** The references of deployment messages that can still be updated, oldest first. */
  readonly threads: ReadonlyMap<string, string>;
  readonly stuck: readonly string[];
  /** The ids of settled news; `undefined` until the target's rules ask for news. */
  readonly news: readonly string[] | undefined;
}

/** With references of the greatest length this takes about 7.5 KiB; the service stores up to 8 KiB. */
export const threadsMax = 60;
export const stuckMax = 40;
export const newsMax = 60;
const referenceMax = 64;

export function writeMemory({ position, recent, threads, stuck, news }: TargetMemory): string {
  return JSON.stringify({
    v: 1,
    p: position,
    b: recent,
    t: [...threads].slice(-threadsMax),
    s: stuck.slice(-stuckMax),
    ...(news && { n: news.slice(-newsMax) }),
  });
}

/** `undefined` for any text that `writeMemory` doesn't write; the target then has no state. */
export function readMemory(cursor: string): TargetMemory | undefined {
  try {
    const { v, p, b, t, s, n } = JSON.parse(cursor);
    const position = v === 1 && typeof p === 'string' ? parseId(p) : undefined;
    const isPair = (pair: unknown) => Array.isArray(pair) && pair.length === 2;
    if (position === undefined || !isPair(b) || !b.every(Number.isSafeInteger)) return undefined;
    if (!Array.isArray(t) || !t.every(isPair) || !Array.isArray(s)) return undefined;
    return {
      position,
      recent: b as [number, number],
      threads: new Map(t),
      stuck: s.map(String),
      news: Array.isArray(n) ? n.map(String) : undefined,
    };
  } catch {
    return undefined;
  }
}

/** Whether a target's reference is valid and short enough to be stored. */
export function isReference(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && text.length <= referenceMax;
}
