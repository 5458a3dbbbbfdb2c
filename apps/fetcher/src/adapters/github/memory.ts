import { hash } from 'node:crypto';
import type { Json } from '../../change.ts';
import { isRecord } from '../../domain/json.ts';

/** What a cursor holds of GitHub (fetcher §6). Instants are ms of the tool's clock. */
export interface GithubMemory {
  /** Before it nothing is outstanding in repositories that are not in `r`, their open deployments included. */
  readonly w: number;
  /** By repository: the greatest deployment id that was dealt with, and the ids of those that are open. */
  readonly r: Readonly<Record<string, readonly number[]>>;
  readonly b?: BackfillMemory;
  /** Earlier changes are not wanted. */
  readonly s?: number;
  /** A repository that is not in `r` is no new one: it is listed from `w` on. */
  readonly c?: 1;
}

export interface BackfillMemory {
  /** The horizon. */
  readonly h: number;
  /** 1: the newest deployment of each environment; 2: the rest. */
  readonly p: 1 | 2;
  /** By repository: the least id that is done, 0 where all are, -1 before the first. */
  readonly d: Readonly<Record<string, number>>;
  /** All repositories that are not in `d` are to be done from the first on; without it none of them is. */
  readonly a?: 1;
}

/** `undefined` where it is of another shape. */
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

/** A memory under which every repository is backfilled down to an instant. */
export function beginning(from: Date, memory: GithubMemory | undefined): GithubMemory {
  const h = from.getTime();
  return { w: memory?.w ?? h, r: memory?.r ?? {}, b: { h, p: 1, d: {}, a: 1 }, ...(memory?.c && { c: memory.c }) };
}

/** A memory that takes nothing from before an instant. */
export function beginningAt(instant: Date): GithubMemory {
  const ms = instant.getTime();
  return { w: ms, r: {}, s: ms, c: 1 };
}

export function asJson(memory: GithubMemory): Json {
  return memory as unknown as Json;
}

/**
 * The same in at most so many bytes: the quietest repositories leave `r`, those without open deployments first, and `w`
 * steps back to what is outstanding in them; then entries of the backfill go, which is done once more for them.
 * @param outstandingMs before it nothing is outstanding in the repository with this key
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
  // Those that have most to do lose least.
  for (const [key, id] of Object.entries(d).sort(([, one], [, other]) => progress(other) - progress(one))) {
    if (over <= 0) break;
    delete d[key];
    over -= bytesOf({ [key]: id }) - 1;
  }
  return { ...cut, b: { ...memory.b, d, a: 1 } };
}

/** Ids grow over all repositories: who has the greatest was deployed last. Open deployments count more than any id. */
function noise([mark = 0, ...open]: readonly number[]): number {
  return mark + (open.length > 0 ? Number.MAX_SAFE_INTEGER : 0);
}

function progress(least: number): number {
  return least === -1 ? Number.MAX_SAFE_INTEGER : least;
}

/** Of JSON in which all is ASCII. */
function bytesOf(value: object): number {
  return JSON.stringify(value).length;
}

const keyLength = 6;

/**
 * Short names for repositories in a cursor: the first 6 base64url characters of the SHA-256 of the path in lower case, and
 * as many more as those need that would share theirs (fetcher §6).
 * @param names no two of them differ in letter case alone
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
