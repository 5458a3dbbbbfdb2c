import type { Logger } from 'pino';
import type { Delivery, Polling, Received, Source, SourceFigures, SourceTimes, Step } from '../../adapter.ts';
import type { Change, Json, SourceDefaults } from '../../change.ts';
import { AuthFailed, PlaceRefused, ToolAway } from '../../tool/refusals.ts';
import { failingPlaces, PlaceFailures, Rounds } from '../../tool/rounds.ts';
import { Backfill } from './backfill.ts';
import { Book } from './book.ts';
import { type ReceiverParts, receive } from './delivery.ts';
import type { Discovery } from './discovery.ts';
import { beginning, beginningAt, fitMemory, readMemory } from './memory.ts';
import { OpenDeployments } from './open-deployments.ts';
import { isUnbegun, type Repository } from './repository.ts';
import { Inspector, pollRepository, type Work } from './repository-poll.ts';
import type { Translator } from './translator.ts';

export interface GithubSourceParts extends ReceiverParts {
  readonly translator: Translator;
  readonly discovery: Discovery;
  readonly defaults: SourceDefaults;
  readonly times: SourceTimes;
  readonly log: Logger;
  isExcluded(change: Change): boolean;
  onUnknown(state: string): void;
  renewToken(): void;
}

/** Requests to this path don't count against the quota and don't concern a repository. */
const quotaPath = '/rate_limit';

/** Polls the deployments of one GitHub server (fetcher §9). */
export class GithubSource implements Source {
  readonly #parts: GithubSourceParts;
  readonly #rounds = new Rounds();
  readonly #failures: PlaceFailures;
  readonly #inspector: Inspector;
  readonly #opens = new OpenDeployments();
  #names: readonly string[] = [];
  #backfill: Backfill;
  #work: Work | undefined;
  #knowsQuota = false;
  /** Whether open deployments used up the pace in the last cycle; the next one then reads the lists first. */
  #areListsWaiting = false;
  /** Whether the last cycle ended before it reached all repositories. */
  #wasCut = false;

  constructor(parts: GithubSourceParts) {
    this.#parts = parts;
    const { http, translator, times, log, onUnknown } = parts;
    this.#failures = new PlaceFailures({ rounds: this.#rounds, http, log, probe: quotaPath });
    this.#inspector = new Inspector({ http, translator, watchMaxAgeMs: times.watchMaxAgeMs, onUnknown });
    this.#backfill = new Backfill(times.backfillDepth);
  }

  get defaults(): SourceDefaults {
    return this.#parts.defaults;
  }

  begin(from: Date, memory?: Json): Json {
    return beginning(from, memory === undefined ? undefined : readMemory(memory));
  }

  startingAt(instant: Date): Json {
    return beginningAt(instant);
  }

  async *poll(memory: Json, { only, signal }: Polling): AsyncGenerator<Step> {
    try {
      await this.#learnQuota(signal);
      await this.#discover(signal);
      const work = this.#workOn(memory);
      yield* only ? this.#hinted(work, only, signal) : this.#cycle(work, signal);
      yield work.book.step();
    } catch (error) {
      if (error instanceof AuthFailed) this.#parts.renewToken();
      throw error;
    }
  }

  async *backfill(memory: Json, signal: AbortSignal): AsyncGenerator<Step> {
    const { http } = this.#parts;
    const work = this.#work;
    // Repositories are known after the first cycle.
    if (!work?.book.follows(memory) || work.book.backfill === null) return;
    // Repositories that were never polled come first, so that their later deployments are found.
    if (this.#wasCut && [...work.book.repositories].some(isUnbegun)) return;
    this.#backfill.begin();
    for (let steps: readonly Step[] | undefined = []; steps; ) {
      if (!http.hasSpare) return;
      steps = await this.#backfill.next(work, signal);
      for (const step of steps ?? []) {
        yield step;
        if (this.#work !== work || !work.book.follows(step.memory)) return;
      }
    }
  }

  fit(memory: Json, bytesMax: number): Json {
    const known = readMemory(memory);
    if (!known) return memory;
    const { watchMaxAgeMs } = this.#parts.times;
    return this.#work?.book.follows(memory)
      ? this.#work.book.fit(known, bytesMax)
      : fitMemory(known, bytesMax, () => known.w - watchMaxAgeMs);
  }

  figures(memory: Json): SourceFigures {
    const known = readMemory(memory);
    const book = this.#work?.book.follows(memory) ? this.#work.book : undefined;
    const entries = Object.values(known?.r ?? {});
    return {
      open: entries.reduce((sum, entry) => sum + entry.length - 1, 0),
      forbidden: [...this.#parts.discovery.refusedPlaces, ...this.#rounds.refusedNames].sort(),
      warnings: this.#parts.discovery.warnings,
      failing: failingPlaces([...this.#rounds.failing, ...(book?.unread ?? [])]),
      backfill: book ? book.backfill : known?.b ? { done: 0, left: this.#names.length } : null,
      oldestPollMs: this.#rounds.oldestPollMs,
    };
  }

  artifact(change: Change, name: string, signal: AbortSignal): Promise<string> {
    return this.#parts.translator.artifact(change, name, signal);
  }

  async receive(delivery: Delivery, signal: AbortSignal): Promise<Received | undefined> {
    const received = await receive(this.#parts, delivery, signal);
    if (!received) return undefined;
    const { isExcluded } = this.#parts;
    const changes = this.#work?.book.reported(received.changes) ?? received.changes.filter((one) => !isExcluded(one));
    return { ...received, changes };
  }

  async *#hinted(work: Work, only: ReadonlySet<string>, signal: AbortSignal): AsyncGenerator<Step> {
    this.#list([...this.#names, ...[...only].filter((name) => this.#parts.discovery.covers(name))]);
    for (const name of only) {
      const repository = work.book.repository(this.#spelling(name));
      if (!repository) continue;
      yield* this.#pollRepository(work, repository, signal);
      if (!this.#rounds.isRefused(repository.name)) yield* this.#opens.of(work, repository, signal);
    }
  }

  async *#cycle(work: Work, signal: AbortSignal): AsyncGenerator<Step> {
    const areListsFirst = this.#areListsWaiting;
    this.#areListsWaiting = false;
    if (!areListsFirst) yield* this.#opens.cycle(work, signal);
    const names = this.#rounds.begin(this.#parts.http.now());
    this.#wasCut = false;
    for (const [index, name] of names.entries()) {
      if (!this.#parts.http.hasTurn) {
        this.#wasCut = true;
        this.#areListsWaiting = index === 0;
        break;
      }
      const repository = work.book.repository(name);
      if (repository) yield* this.#pollRepository(work, repository, signal);
    }
    if (areListsFirst) yield* this.#opens.cycle(work, signal);
    const { fault } = this.#rounds;
    if (fault !== undefined) throw new ToolAway(fault);
  }

  async *#pollRepository(work: Work, repository: Repository, signal: AbortSignal): AsyncGenerator<Step> {
    try {
      yield* pollRepository(work, repository, signal);
    } catch (error) {
      await work.failures.record(repository.name, 'list', error, signal);
    }
  }

  #workOn(memory: Json): Work {
    if (this.#work?.book.follows(memory)) return this.#work;
    const { http, times, isExcluded } = this.#parts;
    const nowMs = http.now();
    const known = readMemory(memory) ?? beginning(new Date(nowMs - times.backfillMaxAgeMs), undefined);
    const { backfillMaxAgeMs, watchMaxAgeMs } = times;
    const rounds = this.#rounds;
    const options = { backfillMaxAgeMs, watchMaxAgeMs, countsBackfill: times.backfillDepth > 0, rounds, isExcluded };
    const book = new Book(memory, known, this.#names, nowMs, options);
    this.#backfill = new Backfill(times.backfillDepth);
    this.#work = { book, http, rounds, failures: this.#failures, inspector: this.#inspector };
    return this.#work;
  }

  async #learnQuota(signal: AbortSignal): Promise<void> {
    if (this.#knowsQuota || this.#parts.discovery.isIdle) return;
    try {
      await this.#parts.http.get(quotaPath, signal, () => null);
    } catch (error) {
      // A server without limits doesn't have this path; other errors recur with the next request.
      if (!(error instanceof PlaceRefused) && !(error instanceof ToolAway)) throw error;
    }
    this.#knowsQuota = true;
  }

  async #discover(signal: AbortSignal): Promise<void> {
    const { discovery, http } = this.#parts;
    const nowMs = http.now();
    if (!discovery.isDue(nowMs)) return;
    http.rediscover();
    this.#list(await discovery.names(nowMs, signal));
  }

  /** Sets the list of repositories; names that differ only in case are the same. */
  #list(names: readonly string[]): void {
    const distinct = new Map(names.toReversed().map((name) => [name.toLowerCase(), name]));
    this.#names = [...distinct.values()].reverse();
    this.#rounds.set(this.#names);
    this.#work?.book.setNames(this.#names, this.#parts.http.now());
  }

  #spelling(name: string): string {
    return this.#names.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
  }
}
