import { CallRefused, type Client, type Clock } from '@shiplog/client';
import type { CalendarHealth } from '@shiplog/companions';
import type { Reports } from '@shiplog/component';
import type { Logger } from 'pino';
import { type CalendarEntry, holdSourceOf } from '../config/calendars.ts';
import { CalendarFault } from '../domain/calendar/calendar-fault.ts';
import type { Failure } from '../sources/source-loop.ts';
import { SourceState } from '../sources/source-runner.ts';
import { ToolAway } from '../tool/refusals.ts';
import { CalendarReader } from './calendar-reader.ts';
import { syncCalendar } from './calendar-sync.ts';

const intervalMs = 15 * 60_000;
/** After a failure that may be temporary, the calendar is read again sooner; the wait doubles each time. */
const retryMsMin = 60_000;

export interface CalendarRunnerParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reports: Reports;
}

/** Keeps the holds of one calendar up to date: at startup, and then every 15 minutes (holds.md 3). */
export class CalendarRunner {
  readonly #entry: CalendarEntry;
  readonly #parts: CalendarRunnerParts;
  readonly #log: Logger;
  readonly #reader: CalendarReader;
  readonly #state: SourceState;
  #freezes: number | null = null;
  #failures = 0;
  #halting = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(entry: CalendarEntry, parts: CalendarRunnerParts) {
    this.#entry = entry;
    this.#parts = parts;
    this.#reader = new CalendarReader(entry.place);
    const source = holdSourceOf(entry);
    const log = parts.logger.child({ calendar: entry.name });
    this.#log = log;
    this.#state = new SourceState(
      parts.clock,
      (sentence) => {
        log.error(sentence);
        parts.reports.failed(source, sentence);
      },
      () => {
        log.info('the calendar works again');
        parts.reports.recovered(source);
      },
    );
  }

  start(): void {
    this.#halting = new AbortController();
    this.#running = this.#run(this.#halting.signal);
  }

  /** Resolves when no request is in flight. */
  async halt(): Promise<void> {
    this.#halting.abort();
    await this.#running;
  }

  get health(): CalendarHealth {
    const { reachable, lastOutcome, lastSuccessAt, lastError } = this.#state;
    return {
      name: this.#entry.name,
      reachable,
      last_outcome: lastOutcome === null ? null : lastOutcome === 'ok' ? 'ok' : 'error',
      last_success_at: lastSuccessAt?.toISOString() ?? null,
      last_error: lastError,
      freezes: this.#freezes,
    };
  }

  async #run(halted: AbortSignal): Promise<void> {
    while (!halted.aborted) {
      const begunMs = this.#nowMs;
      const waitMs = await this.#attempt(halted);
      await this.#parts.clock.sleep(begunMs + waitMs - this.#nowMs, halted);
    }
  }

  /** Returns the milliseconds from this attempt to the next one. */
  async #attempt(halted: AbortSignal): Promise<number> {
    const { client, clock } = this.#parts;
    try {
      const { freezes, lack } = await syncCalendar({ entry: this.#entry, reader: this.#reader, client, clock }, halted);
      this.#freezes = freezes;
      this.#failures = 0;
      if (lack === undefined) this.#state.succeeded();
      else this.#state.failed({ outcome: 'error', sentence: lack, isToolAway: false });
      return intervalMs;
    } catch (error) {
      if (halted.aborted) return 0;
      const failure = failureOf(error);
      if (!(error instanceof ToolAway || error instanceof CalendarFault))
        this.#log.error({ err: error }, failure.sentence);
      this.#state.failed(failure);
      // An invalid calendar stays invalid until someone changes it.
      if (error instanceof CalendarFault) return intervalMs;
      this.#failures += 1;
      return Math.min(intervalMs, retryMsMin * 2 ** (this.#failures - 1));
    }
  }

  get #nowMs(): number {
    return this.#parts.clock.now().getTime();
  }
}

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  const failed = (sentence: string, isToolAway = false): Failure => ({ outcome: 'error', sentence, isToolAway });
  if (error instanceof ToolAway) return failed(`The calendar can't be read: ${message}. Its holds are kept.`, true);
  if (error instanceof CalendarFault) return failed(`The calendar is invalid: ${message}. Its holds are kept.`);
  if (error instanceof CallRefused && error.status === 401)
    return failed('The service does not accept API_KEY. Set it to a valid key of the service.');
  if (error instanceof CallRefused && error.status === 403)
    return failed("The fetcher's key may not set these holds. Add hold with the calendar's globs to its rights.");
  return failed(`Can't update the calendar's holds: ${message}.`);
}
