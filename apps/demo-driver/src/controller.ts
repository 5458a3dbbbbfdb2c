import { randomUUID } from 'node:crypto';
import type { Clock } from '@shiplog/client';
import type { DemoStatus } from '@shiplog/companions';
import type { Reports } from '@shiplog/component';
import type { ControlStreamEvent } from '@shiplog/contract';
import type { Stoppable } from '@shiplog/server';
import type { Logger } from 'pino';
import { resetEvent } from './domain/reset-frame.ts';
import type { RunPlan } from './domain/run-plan.ts';
import { counted, type Effect, initialStatus, type StatusEvent, take } from './domain/status.ts';
import type { Emission } from './emission.ts';
import { Gate } from './gate.ts';
import type { Poster } from './poster.ts';
import { runEvents } from './run.ts';
import { Session } from './session.ts';
import type { Target } from './target.ts';

export interface ControllerOptions {
  /** Events of the built-in scenario. */
  readonly demoSetEvents: number;
  readonly componentId: string;
  readonly gateMaxTtlMs: number;
  readonly emission: Emission;
  readonly poster: Poster;
  readonly target: Target;
  readonly reports: Reports;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Holds the status of the driver: applies events by the table in `domain/status.ts` and carries out their effects. */
export class Controller implements Stoppable {
  readonly #options: ControllerOptions;
  readonly #initial: DemoStatus;
  readonly #gate: Gate;
  #status: DemoStatus;
  #run: Session | undefined;
  /** The run whose outcomes are currently counted, if any. */
  #countedRunId: string | undefined;
  #stopped = false;

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.#initial = initialStatus(options.demoSetEvents);
    this.#status = this.#initial;
    const { clock, gateMaxTtlMs: ttlMs } = options;
    this.#gate = new Gate({ clock, ttlMs, onExpired: () => this.#take({ name: 'gate-expired' }) });
  }

  get status(): DemoStatus {
    return this.#status;
  }

  /** How long calls are still refused; `undefined` if they are accepted (reading 9.4). */
  get blockedSeconds(): number | undefined {
    return this.#status.reset_state === 'blocked' ? this.#gate.remainingSeconds : undefined;
  }

  start(plan: RunPlan): void {
    if (!this.#stopped) this.#take({ name: 'started', plan });
  }

  /** Stops the run of this scenario; does nothing if another or none is running. */
  stopRun(scenario = this.#status.scenario): void {
    if (scenario === this.#status.scenario) this.#take({ name: 'stopped' });
  }

  resetCounters(): void {
    this.#take({ name: 'counters-reset', initial: this.#initial });
  }

  /** Handles a frame of the control stream. */
  takeFrame(frame: ControlStreamEvent): void {
    const { componentId } = this.#options;
    const event = resetEvent(frame, { componentId, resetId: this.#status.correlation_id });
    if (event && !this.#stopped) this.#take(event);
  }

  /** Resolves when nothing is running. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#gate.open();
    this.stopRun();
    await this.#drained();
  }

  #take(event: StatusEvent): void {
    const before = this.#status;
    const step = take(before, event, this.#options.clock.now());
    if (!step) return;
    this.#status = step.status;
    for (const effect of step.effects) this.#effects[effect](event, before);
  }

  readonly #effects: Readonly<Record<Effect, (event: StatusEvent, before: DemoStatus) => void>> = {
    'begin-run': (event) => {
      if (event.name === 'started') this.#begin(event.plan);
    },
    'stop-run': () => void this.#run?.stop(),
    'forget-run': () => {
      this.#countedRunId = undefined;
    },
    'stop-emission': () => void this.#options.emission.stop(),
    'close-gate': () => this.#gate.close(),
    'open-gate': () => this.#gate.open(),
    ack: () => void this.#ack(this.#status.correlation_id),
    'report-running': (_event, { correlation_id: resetId }) => {
      if (resetId !== null) void this.#options.reports.resumed(resetId);
    },
    'warn-of-expiry': (_event, { correlation_id: resetId }) =>
      this.#options.logger.warn({ resetId }, 'the end of the reset was not reported in time; accepting calls again'),
  };

  #begin(plan: RunPlan): void {
    const { poster, target, reports, clock } = this.#options;
    const runId = randomUUID();
    const onOutcome = (stored: boolean) => {
      if (this.#countedRunId === runId) this.#status = counted(this.#status, stored);
    };
    this.#countedRunId = runId;
    this.#run = new Session({
      runId,
      after: this.#run?.ended ?? Promise.resolve(),
      reports,
      clock,
      work: async (halt) => {
        await target.warnOfRefusals(plan, halt.stopping);
        if (await runEvents(plan, { poster, clock, onOutcome }, halt)) this.#take({ name: 'finished' });
      },
    });
  }

  /** A reset that was replaced or has ended meanwhile needs no ack. */
  async #ack(resetId: string | null): Promise<void> {
    await this.#drained();
    if (resetId !== null && resetId === this.#status.correlation_id) await this.#options.reports.ack(resetId);
  }

  async #drained(): Promise<void> {
    await Promise.all([this.#run?.stop(), this.#options.emission.stop()]);
  }
}
