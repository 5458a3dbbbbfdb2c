import type { Step } from '../../adapter.ts';
import type { Change, Json } from '../../change.ts';
import type { PlaceFailures } from '../../tool/place-failures.ts';
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
  readonly failures: PlaceFailures;
  readonly inspector: Inspector;
  /** Earlier changes are left out. */
  readonly sinceMs: number | undefined;
  isExcluded(change: Change): boolean;
}

/** What polling and backfill share while one memory leads to the next. */
export class Work {
  readonly book: Book;
  readonly http: ToolHttp;
  readonly rounds: Rounds;
  readonly failures: PlaceFailures;
  readonly inspector: Inspector;
  readonly #parts: WorkParts;
  #memory: Json;

  constructor(memory: Json, parts: WorkParts) {
    this.book = parts.book;
    this.http = parts.http;
    this.rounds = parts.rounds;
    this.failures = parts.failures;
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
