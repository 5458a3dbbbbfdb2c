import { isCount, isRecord, type Json } from '../../change.ts';

/** The memory of a GitLab source (fetcher §6); a cycle changes its own copy. Instants use GitLab's clock, in ms. */
export interface Memory {
  /** Everything before this instant has been processed in projects that aren't in `marks`. */
  outstandingMs: number;
  /** The greatest processed `updated_at` of each project. */
  readonly marks: Map<number, number>;
  /** Whether marks were removed, in which case a project without a mark may not be new. */
  isCut: boolean;
  /** Changes before this instant are ignored. */
  startMs?: number;
  backfill?: Backfilling;
}

export interface Backfilling {
  readonly horizonMs: number;
  /** 1: the newest deployment of each environment; 2: all others. */
  pass: 1 | 2;
  /** The first page of projects up to this id was read in this pass. */
  sweptTo: number;
  /** The next page of each project that has one. */
  readonly pages: Map<number, number>;
}

export function backfillFrom(horizonMs: number): Backfilling {
  return { horizonMs, pass: 1, sweptTo: 0, pages: new Map() };
}

/** `undefined` for anything that `writeMemory` doesn't write. */
export function readMemory(json: Json): Memory | undefined {
  const { w, r, b, s, c } = membersOf(json) ?? {};
  const marks = numbersOf(r);
  const backfill = b === undefined ? undefined : readBackfill(b);
  if (!isCount(w) || !marks || (b !== undefined && !backfill) || (s !== undefined && !isCount(s))) return undefined;
  return { outstandingMs: w, marks, isCut: c === 1, ...(isCount(s) && { startMs: s }), ...(backfill && { backfill }) };
}

function readBackfill(json: Json): Backfilling | undefined {
  const { h, p, n, d } = membersOf(json) ?? {};
  const pages = numbersOf(d);
  if (!isCount(h) || !isCount(n) || !pages || (p !== 1 && p !== 2)) return undefined;
  return { horizonMs: h, pass: p, sweptTo: n, pages };
}

function membersOf(json: Json | undefined): Readonly<Record<string, Json | undefined>> | undefined {
  return isRecord(json) ? json : undefined;
}

function numbersOf(json: Json | undefined): Map<number, number> | undefined {
  const members = membersOf(json);
  if (!members) return undefined;
  const numbers = Object.entries(members).map(([key, value]) => [Number(key), value] as const);
  const areGood = numbers.every((pair): pair is readonly [number, number] => pair.every(isCount));
  return areGood ? new Map(numbers) : undefined;
}

export function writeMemory({ outstandingMs, marks, isCut, startMs, backfill }: Memory): Json {
  return {
    w: outstandingMs,
    r: Object.fromEntries(marks),
    ...(backfill && { b: writeBackfill(backfill) }),
    ...(startMs !== undefined && { s: startMs }),
    ...(isCut && { c: 1 }),
  };
}

function writeBackfill({ horizonMs, pass, sweptTo, pages }: Backfilling): Json {
  return { h: horizonMs, p: pass, n: sweptTo, d: Object.fromEntries(pages) };
}

/** The bytes of the longest `w`, of `"c":1,` and of a comma. */
const cutBytes = 24;

/** Removes the marks of the quietest projects. If that isn't enough, pass 2 of a backfill starts over. */
export function fitMemory(memory: Memory, bytesMax: number): Memory {
  const marks = new Map(memory.marks);
  const fitted: Memory = { ...memory, marks };
  const quietestFirst = [...marks].sort(([, one], [, other]) => one - other);
  let excess = sizeOf(fitted) - bytesMax;
  // Room for the new members.
  if (excess > 0) excess += cutBytes;
  for (const [id, markMs] of quietestFirst) {
    if (excess <= 0) break;
    fitted.outstandingMs = fitted.isCut ? Math.min(fitted.outstandingMs, markMs) : markMs;
    fitted.isCut = true;
    marks.delete(id);
    excess -= `"${id}":${markMs},`.length;
  }
  if (excess > 0 && memory.backfill) fitted.backfill = { ...memory.backfill, pass: 2, sweptTo: 0, pages: new Map() };
  return fitted;
}

function sizeOf(memory: Memory): number {
  return JSON.stringify(writeMemory(memory)).length;
}
