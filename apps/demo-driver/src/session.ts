import { driverLimits } from '@shiplog/companions';
import type { Clock } from './clock.ts';
import type { Reports } from './reports.ts';

/** How work is told to end. */
export interface Halt {
  /** Nothing further is begun: no event, no attempt, no pause. */
  readonly stopping: AbortSignal;
  /** What is under way is given up. */
  readonly aborting: AbortSignal;
}

export interface SessionOptions {
  readonly runId: string;
  /** What has to have ended before: sessions of one kind never overlap. */
  readonly after: Promise<void>;
  readonly reports: Reports;
  readonly clock: Clock;
  /** Must not reject. */
  readonly work: (halt: Halt) => Promise<void>;
}

/** One run or one session of live emission: its start is reported, it works, its end is reported (§6 rule 4). */
export class Session {
  /** Resolves when nothing of it is under way any more. */
  readonly ended: Promise<void>;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  readonly #over = new AbortController();

  constructor(options: SessionOptions) {
    this.#clock = options.clock;
    this.ended = this.#run(options);
  }

  /** Lets what is under way come to its end, which a hanging post does after 3 s (reading 9.10). */
  stop(): Promise<void> {
    if (!this.#stopping.signal.aborted) {
      this.#stopping.abort();
      void this.#clock.sleep(driverLimits.ackDrainMs, this.#over.signal).then(() => this.#aborting.abort());
    }
    return this.ended;
  }

  async #run({ runId, after, reports, work }: SessionOptions): Promise<void> {
    await after;
    await reports.started(runId);
    await work({ stopping: this.#stopping.signal, aborting: this.#aborting.signal });
    this.#over.abort();
    await reports.ended(runId);
  }
}
