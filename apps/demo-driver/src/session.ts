import type { Clock } from '@shiplog/client';
import { driverLimits } from '@shiplog/companions';
import type { Reports } from '@shiplog/component';

/** The signals that end the work of a session. */
export interface Halt {
  /** When aborted: don't start any more events, attempts or pauses. */
  readonly stopping: AbortSignal;
  /** When aborted: cancel the call that is in flight. */
  readonly aborting: AbortSignal;
}

export interface SessionOptions {
  readonly runId: string;
  /** The end of the previous session: sessions of one kind never overlap. */
  readonly after: Promise<void>;
  readonly reports: Reports;
  readonly clock: Clock;
  /** Must not reject. */
  readonly work: (halt: Halt) => Promise<void>;
}

/** One run, or one period of live emission: reports its start, works, reports its end (§6 rule 4). */
export class Session {
  /** Resolves when the session has ended. */
  readonly ended: Promise<void>;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  readonly #over = new AbortController();

  constructor(options: SessionOptions) {
    this.#clock = options.clock;
    this.ended = this.#run(options);
  }

  /** Lets the post in flight finish; one that hangs is aborted after 3 s (reading 9.10). */
  stop(): Promise<void> {
    if (!this.#stopping.signal.aborted) {
      this.#stopping.abort();
      void this.#clock.sleep(driverLimits.ackDrainMs, this.#over.signal).then(() => this.#aborting.abort());
    }
    return this.ended;
  }

  async #run({ runId, after, reports, work }: SessionOptions): Promise<void> {
    await after;
    await reports.runStarted(runId);
    await work({ stopping: this.#stopping.signal, aborting: this.#aborting.signal });
    this.#over.abort();
    await reports.runEnded(runId);
  }
}
