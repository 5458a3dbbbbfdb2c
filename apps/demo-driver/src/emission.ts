import { randomUUID } from 'node:crypto';
import type { Clock } from '@shiplog/client';
import type { Reports } from '@shiplog/component';
import { eventAt, type ScenarioEvent } from '@shiplog/scenarios';
import { liveEvents, type Random } from './domain/random-scenario.ts';
import { reporterOf } from './domain/run-plan.ts';
import type { Poster } from './poster.ts';
import { type Halt, Session } from './session.ts';

export interface EmissionOptions {
  readonly intervalMs: number;
  readonly poster: Poster;
  readonly reports: Reports;
  readonly clock: Clock;
  readonly random: Random;
}

/** The `X-Progress-Reporter` header of live emission (§2). */
const reporter = reporterOf('emit');

/** Live emission: posts a made-up event at each interval while it is on. It does not change the status of runs (reading 9.1). */
export class Emission {
  readonly #options: EmissionOptions;
  readonly #events: Iterator<ScenarioEvent>;
  #emitting = false;
  #session: Session | undefined;

  constructor(options: EmissionOptions) {
    this.#options = options;
    this.#events = liveEvents(options.random);
  }

  get emitting(): boolean {
    return this.#emitting;
  }

  start(): void {
    if (this.#emitting) return;
    this.#emitting = true;
    const { reports, clock } = this.#options;
    this.#session = new Session({
      runId: randomUUID(),
      after: this.#session?.ended ?? Promise.resolve(),
      reports,
      clock,
      work: (halt) => this.#emit(halt),
    });
  }

  /** Resolves when the emission has ended. */
  async stop(): Promise<void> {
    this.#emitting = false;
    await this.#session?.stop();
  }

  async #emit(halt: Halt): Promise<void> {
    const { intervalMs, poster, clock } = this.#options;
    for (;;) {
      await clock.sleep(intervalMs, halt.stopping);
      if (halt.stopping.aborted) return;
      await poster.post(eventAt(this.#events.next().value, clock.now()), reporter, halt);
    }
  }
}
