import type { Logger } from 'pino';
import type { Step } from '../../adapter.ts';
import type { Change, Json } from '../../change.ts';
import { PlaceRefused, ToolAway } from '../../tool/refusals.ts';
import type { Rounds } from '../../tool/rounds.ts';
import type { ToolHttp } from '../../tool/tool-http.ts';
import type { Book } from './book.ts';
import type { Inspected, Inspector } from './inspector.ts';
import { asJson, type GithubMemory } from './memory.ts';
import type { Repository } from './repository.ts';

export interface WorkParts {
  readonly book: Book;
  readonly http: ToolHttp;
  readonly rounds: Rounds;
  readonly inspector: Inspector;
  readonly log: Logger;
  /** Earlier changes are left out. */
  readonly sinceMs: number | undefined;
  isExcluded(change: Change): boolean;
}

/** What polling and backfill share while one memory leads to the next. */
export class Work {
  readonly book: Book;
  readonly http: ToolHttp;
  readonly rounds: Rounds;
  readonly inspector: Inspector;
  readonly #parts: WorkParts;
  #memory: Json;

  constructor(memory: Json, parts: WorkParts) {
    this.book = parts.book;
    this.http = parts.http;
    this.rounds = parts.rounds;
    this.inspector = parts.inspector;
    this.#parts = parts;
    this.#memory = memory;
  }

  /** Whether a memory is the last that this has made: only then is what the book knows beside it true. */
  follows(memory: Json): boolean {
    return memory === this.#memory;
  }

  /** The changes, oldest first, with the memory of what the book holds by now. */
  step(changes: readonly Change[] = []): Step {
    this.#memory = asJson(this.memory());
    return { changes: this.wanted(changes).sort(inOrder), memory: this.#memory };
  }

  memory(): GithubMemory {
    return this.book.toMemory(this.refused);
  }

  /** Those that are wanted of this source, in a list of their own. */
  wanted(changes: readonly Change[]): Change[] {
    const { sinceMs = Number.NEGATIVE_INFINITY, isExcluded } = this.#parts;
    return changes.filter((change) => Date.parse(change.at) >= sinceMs && !isExcluded(change));
  }

  get refused(): ReadonlySet<string> {
    return new Set(this.rounds.refusedNames);
  }

  /** Goes on after a failure that concerns one repository. @throws the error where it concerns the tool */
  failed({ name }: Repository, error: unknown): void {
    const nowMs = this.http.now();
    if (error instanceof PlaceRefused) {
      if (!this.rounds.isRefused(name))
        this.#parts.log.warn({ repository: name }, `looked at hourly: ${error.message}`);
      this.rounds.refused(name, nowMs);
    } else if (!(error instanceof ToolAway) || this.rounds.failed(name, nowMs)) throw error;
    else this.#parts.log.warn({ repository: name }, `left for the next cycle: ${error.message}`);
  }
}

/** Takes over what looks at deployments gave; gives their changes. */
export function takeOver({ open }: Repository, inspected: readonly Inspected[]): Change[] {
  for (const { id, watched } of inspected) {
    if (watched) open.set(id, watched);
    else open.delete(id);
  }
  return inspected.flatMap(({ changes }) => changes);
}

function inOrder(one: Change, other: Change): number {
  return Date.parse(one.at) - Date.parse(other.at) || one.order - other.order;
}
