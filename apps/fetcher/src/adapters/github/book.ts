import type { Step } from '../../adapter.ts';
import type { Change, Json } from '../../change.ts';
import type { Failing, Rounds } from '../../tool/rounds.ts';
import { type BackfillMemory, fitMemory, type GithubMemory, repositoryKeys } from './memory.ts';
import { createdMs, isOver, isUnbegun, type Repository, startOfBackfill } from './repository.ts';

export interface BookOptions {
  /** The maximum age of a deployment in the backfill of a repository that is added later. */
  readonly backfillMaxAgeMs: number;
  readonly watchMaxAgeMs: number;
  /** Whether a backfill counts events. Such a backfill starts over after a restart. */
  readonly countsBackfill: boolean;
  readonly rounds: Pick<Rounds, 'refusedNames'>;
  isExcluded(change: Change): boolean;
}

/**
 * Everything that is known about a source's repositories, from a memory and from later reads. Add data only as part of
 * a step, because a step and its memory become valid together.
 */
export class Book {
  readonly #options: BookOptions;
  readonly #loaded: GithubMemory;
  /** The memory last returned, or the initial one. */
  #memory: Json;
  readonly #repositories = new Map<string, Repository>();
  /** Repositories that are no longer in any list, kept until their open deployments end. */
  readonly #leaving = new Map<string, Repository>();
  #keys: ReadonlyMap<string, string> = new Map();
  /** The horizon of the current backfill, kept for repositories that can't be read yet. */
  #horizonMs: number | undefined;

  constructor(memory: Json, loaded: GithubMemory, names: readonly string[], nowMs: number, options: BookOptions) {
    this.#options = options;
    this.#memory = memory;
    this.#loaded = loaded;
    this.#horizonMs = loaded.b?.h;
    this.#keys = repositoryKeys(names);
    for (const name of names) this.#repositories.set(name, this.#recalled(name));
    this.#openHorizon(nowMs);
  }

  /** Whether this is the memory that this book returned last. The book doesn't match any other. */
  follows(memory: Json): boolean {
    return memory === this.#memory;
  }

  /** A step with the changes, oldest first, and the current memory. */
  step(changes: readonly Change[] = []): Step {
    this.#memory = this.#toMemory();
    return { changes: this.reported(changes).sort(inOrder), memory: this.#memory };
  }

  /** The changes that this source reports, in a new list. */
  reported(changes: readonly Change[]): Change[] {
    const sinceMs = this.#loaded.s ?? Number.NEGATIVE_INFINITY;
    return changes.filter((change) => Date.parse(change.at) >= sinceMs && !this.#options.isExcluded(change));
  }

  get repositories(): Iterable<Repository> {
    return this.#repositories.values();
  }

  get horizonMs(): number {
    return this.#horizonMs ?? Number.NEGATIVE_INFINITY;
  }

  get leaving(): readonly Repository[] {
    for (const [name, { open }] of this.#leaving) if (open.size === 0) this.#leaving.delete(name);
    return [...this.#leaving.values()];
  }

  /** Open deployments that couldn't be read, by repository. */
  get unread(): (readonly [name: string, failing: Failing])[] {
    return [...this.#repositories.values()].flatMap(({ name, open }) =>
      [...open.values()].flatMap(({ failing }) => (failing ? [[name, failing] as const] : [])),
    );
  }

  repository(name: string): Repository | undefined {
    return this.#repositories.get(name);
  }

  setNames(names: readonly string[], nowMs: number): void {
    const listed = new Set(names);
    for (const [name, repository] of this.#repositories) {
      if (listed.has(name)) continue;
      this.#repositories.delete(name);
      this.#leaving.set(name, repository);
    }
    for (const name of names) {
      if (this.#repositories.has(name)) continue;
      const known = this.#leaving.get(name);
      this.#leaving.delete(name);
      const added = { ...blank(name, this.#loaded.w), backfill: startOfBackfill() };
      this.#repositories.set(name, known ?? added);
    }
    this.#keys = repositoryKeys(names);
    this.#openHorizon(nowMs);
  }

  #toMemory(): GithubMemory {
    const { s } = this.#loaded;
    const refused = this.#refused;
    const listed = [...this.#repositories.values()];
    const pollTimes = listed.filter((one) => !refused.has(one.name) && !isUnbegun(one)).map(({ polledMs }) => polledMs);
    const r: Record<string, number[]> = {};
    for (const one of listed) if (one.mark !== undefined) r[this.#keyOf(one)] = [one.mark, ...one.open.keys()];
    const b = this.#backfillMemory(listed, refused);
    const isCut = this.#loaded.c === 1 && listed.some((one) => one.mark === undefined && !isUnbegun(one));
    return {
      w: pollTimes.length === 0 ? this.#loaded.w : Math.min(...pollTimes),
      r,
      ...(b && { b }),
      ...(s !== undefined && { s }),
      ...(isCut && { c: 1 as const }),
    };
  }

  fit(memory: GithubMemory, bytesMax: number): GithubMemory {
    const byKey = new Map([...this.#repositories.values()].map((one) => [this.#keyOf(one), one]));
    return fitMemory(memory, bytesMax, (key) => {
      const known = byKey.get(key);
      if (!known) return memory.w - this.#options.watchMaxAgeMs;
      const open = [...known.open.values()].map(({ deployment }) =>
        deployment ? createdMs(deployment) : known.polledMs - this.#options.watchMaxAgeMs,
      );
      return Math.min(known.polledMs, ...open);
    });
  }

  get backfill(): { readonly done: number; readonly left: number } | null {
    const concerned = [...this.#repositories.values()].filter(({ backfill }) => backfill);
    const refused = this.#refused;
    const left = concerned.filter((one) => !isOver(one) && !refused.has(one.name)).length;
    return left === 0 ? null : { done: concerned.filter(isOver).length, left };
  }

  /** Inaccessible repositories, which don't delay anything. */
  get #refused(): ReadonlySet<string> {
    return new Set(this.#options.rounds.refusedNames);
  }

  #keyOf({ name }: Repository): string {
    return this.#keys.get(name) ?? '';
  }

  /** A repository from the memory. One that is missing there is new, unless the memory was shortened. */
  #recalled(name: string): Repository {
    const { r, b, w, c } = this.#loaded;
    const key = this.#keys.get(name) ?? '';
    const [mark, ...open] = r[key] ?? [];
    const done = b?.d[key];
    const repository = blank(name, w);
    repository.mark = mark;
    for (const id of open) repository.open.set(id, { id });
    const isKnown = mark !== undefined || c === 1;
    if (!b || (done === undefined && b.a !== 1)) {
      if (!isKnown) repository.backfill = startOfBackfill();
      return repository;
    }
    repository.backfill = startOfBackfill();
    if (!isKnown || done === undefined || done < 0) return repository;
    if (done === 0) return { ...repository, backfill: { ...repository.backfill, least: 0, heads: [] } };
    if (this.#options.countsBackfill) return repository;
    const backfill = { ...repository.backfill, least: done, heads: b.p === 2 ? [] : undefined };
    return { ...repository, backfill };
  }

  #openHorizon(nowMs: number): void {
    if ([...this.#repositories.values()].every(({ backfill }) => !backfill)) return;
    this.#horizonMs ??= nowMs - this.#options.backfillMaxAgeMs;
  }

  #backfillMemory(listed: readonly Repository[], refused: ReadonlySet<string>): BackfillMemory | undefined {
    const concerned = listed.filter(({ backfill }) => backfill);
    const left = concerned.filter((one) => !isOver(one) && !refused.has(one.name));
    if (left.length === 0) {
      this.#close(concerned);
      return undefined;
    }
    const isAll = concerned.length === listed.length;
    const d: Record<string, number> = {};
    for (const one of concerned) {
      const least = one.backfill?.least;
      if (least === undefined ? !isAll : least > 0 || isAll) d[this.#keyOf(one)] = least ?? -1;
    }
    const isFirstPass = left.some(({ backfill }) => backfill?.heads === undefined || backfill.heads.length > 0);
    return { h: this.horizonMs, p: isFirstPass ? 1 : 2, d, ...(isAll && { a: 1 as const }) };
  }

  /** Inaccessible repositories are backfilled when they become accessible, with the same horizon. */
  #close(concerned: readonly Repository[]): void {
    for (const one of concerned) if (isOver(one)) one.backfill = undefined;
    if (concerned.every(({ backfill }) => !backfill)) this.#horizonMs = undefined;
  }
}

function blank(name: string, polledMs: number): Repository {
  return { name, polledMs, mark: undefined, open: new Map(), seen: new Map(), backfill: undefined };
}

function inOrder(one: Change, other: Change): number {
  return Date.parse(one.at) - Date.parse(other.at) || one.order - other.order;
}
