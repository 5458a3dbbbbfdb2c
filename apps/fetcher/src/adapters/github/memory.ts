import { hash } from 'node:crypto';
import { isRecord, type Json } from '../../change.ts';

/** The memory of a GitHub source (fetcher §6). Instants are milliseconds of the tool's clock. */
export type GithubMemory = {
  /** Everything before it has been processed in repositories that aren't in `r`, including open deployments. */
  readonly w: number;
  /** By repository: the greatest processed deployment id, then the ids of open deployments. */
  readonly r: Readonly<Record<string, readonly number[]>>;
  readonly b?: BackfillMemory;
  /** Changes before this instant are ignored. */
  readonly s?: number;
  /** A repository that isn't in `r` isn't new; it is read from `w` on. */
  readonly c?: 1;
};

export type BackfillMemory = {
  readonly h: number;
  /** 1: the newest deployment of each environment; 2: all others. */
  readonly p: 1 | 2;
  /** By repository: the least processed id; 0: all; -1: none. */
  readonly d: Readonly<Record<string, number>>;
  /** Repositories that aren't in `d` must be backfilled from the start; otherwise they are done. */
  readonly a?: 1;
};

export function readMemory(memory: Json): GithubMemory | undefined {
  if (!isRecord(memory)) return undefined;
  const { w, r, b, s, c } = memory;
  if (!isInteger(w) || !isRecord(r)) return undefined;
  if (!Object.values(r).every((entry) => Array.isArray(entry) && entry.length > 0 && entry.every(isInteger))) {
    return undefined;
  }
  const backfill = b === undefined ? undefined : readBackfill(b);
  if (b !== undefined && !backfill) return undefined;
  if ((s !== undefined && !isInteger(s)) || (c !== undefined && c !== 1)) return undefined;
  return memory as unknown as GithubMemory;
}

function readBackfill(b: Json): boolean {
  if (!isRecord(b) || !isInteger(b.h) || (b.p !== 1 && b.p !== 2) || !isRecord(b.d)) return false;
  return Object.values(b.d).every(isInteger) && (b.a === undefined || b.a === 1);
}

function isInteger(value: Json | undefined): value is number {
  return Number.isSafeInteger(value);
}

export function beginning(from: Date, memory: GithubMemory | undefined): GithubMemory {
  const h = from.getTime();
  return { w: memory?.w ?? h, r: memory?.r ?? {}, b: { h, p: 1, d: {}, a: 1 }, ...(memory?.c && { c: memory.c }) };
}

export function beginningAt(instant: Date): GithubMemory {
  const ms = instant.getTime();
  return { w: ms, r: {}, s: ms, c: 1 };
}

/**
 * Shortens the memory: removes the quietest repositories from `r`, those without open deployments first, and moves `w`
 * back to cover them. Then removes entries of the backfill, which starts over for those repositories. @param
 * outstandingMs the instant before which everything has been processed in the repository with this key
 */
export function fitMemory(
  memory: GithubMemory,
  bytesMax: number,
  outstandingMs: (key: string) => number,
): GithubMemory {
  let over = bytesOf(memory) - bytesMax;
  if (over <= 0) return memory;
  // Room for `c`, `a` and a longer `w`.
  over += 32;
  const r = { ...memory.r };
  let w = memory.w;
  for (const [key, entry] of Object.entries(r).sort(([, one], [, other]) => noise(one) - noise(other))) {
    if (over <= 0) break;
    delete r[key];
    over -= bytesOf({ [key]: entry }) - 1;
    w = Math.min(w, outstandingMs(key));
  }
  const cut = { ...memory, w, r, c: 1 } as const;
  if (over <= 0 || !memory.b) return cut;
  const d = { ...memory.b.d };
  // Repositories with the most backfill left lose the least progress.
  for (const [key, id] of Object.entries(d).sort(([, one], [, other]) => progress(other) - progress(one))) {
    if (over <= 0) break;
    delete d[key];
    over -= bytesOf({ [key]: id }) - 1;
  }
  return { ...cut, b: { ...memory.b, d, a: 1 } };
}

/**
 * Ids increase across repositories, so the greatest id is the latest. A repository with open deployments comes after
 * any other.
 */
function noise([mark = 0, ...open]: readonly number[]): number {
  return mark + (open.length > 0 ? Number.MAX_SAFE_INTEGER : 0);
}

function progress(least: number): number {
  return least === -1 ? Number.MAX_SAFE_INTEGER : least;
}

/** The JSON is ASCII. */
function bytesOf(value: object): number {
  return JSON.stringify(value).length;
}

const keyLength = 6;

/**
 * Short keys for repositories in a cursor: the first 6 base64url characters of the SHA-256 of the path in lower case,
 * or more if needed to be unique (fetcher §6). @param names must differ in more than case
 */
export function repositoryKeys(names: Iterable<string>): Map<string, string> {
  const digests = [...names].map((name) => ({ name, digest: hash('sha256', name.toLowerCase(), 'base64url') }));
  digests.sort((one, other) => (one.digest < other.digest ? -1 : 1));
  const keys = digests.map(({ name, digest }, index) => {
    const neighbours = [digests[index - 1], digests[index + 1]].map((one) => sharedLength(digest, one?.digest ?? ''));
    return [name, digest.slice(0, Math.max(keyLength, ...neighbours.map((shared) => shared + 1)))] as const;
  });
  return new Map(keys);
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
