import { parseId } from '@shiplog/contract';

/** What a target remembers in the service's fetcher state (relay §8.3). */
export interface TargetMemory {
  /** Every event up to this id is settled. */
  readonly position: string;
  /** Single messages of the last minute, and when the last was delivered. */
  readonly recent: readonly [count: number, atMs: number];
  /** The target's references to deployment messages that can be updated, oldest first. */
  readonly threads: ReadonlyMap<string, string>;
  readonly stuck: readonly string[];
}

/** With the longest references about 6 KiB; the service stores up to 8 KiB. */
export const threadsMax = 60;
export const stuckMax = 40;
const referenceMax = 64;

export function writeMemory({ position, recent, threads, stuck }: TargetMemory): string {
  return JSON.stringify({
    v: 1,
    p: position,
    b: recent,
    t: [...threads].slice(-threadsMax),
    s: stuck.slice(-stuckMax),
  });
}

/** `undefined` for anything not written by `writeMemory`; the target then has no state. */
export function readMemory(cursor: string): TargetMemory | undefined {
  try {
    const { v, p, b, t, s } = JSON.parse(cursor);
    const position = v === 1 && typeof p === 'string' ? parseId(p) : undefined;
    const isPair = (pair: unknown) => Array.isArray(pair) && pair.length === 2;
    if (position === undefined || !isPair(b) || !b.every(Number.isSafeInteger)) return undefined;
    if (!Array.isArray(t) || !t.every(isPair) || !Array.isArray(s)) return undefined;
    return { position, recent: b as [number, number], threads: new Map(t), stuck: s.map(String) };
  } catch {
    return undefined;
  }
}

/** Whether a target's reference can be stored. */
export function isReference(text: unknown): text is string {
  return typeof text === 'string' && text !== '' && text.length <= referenceMax;
}
