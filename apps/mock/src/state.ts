import { type MockSource, mockLimits } from '@shiplog/companions';
import { type DeploymentEventIngest, type FetcherState, streamTimes } from '@shiplog/contract';
import { eventAt, type Scenario, type ScenarioTemplate } from '@shiplog/scenarios';
import type { StreamTimes } from '@shiplog/streams';
import { Broadcasts } from './broadcasts.ts';
import { DeploymentLog, type DeploymentRow } from './deployment-log.ts';
import { Emission } from './emission.ts';

/** Intervals of emission and streams; tests pass other values. */
export interface MockTimes extends StreamTimes {
  readonly emitIntervalMs: number;
}

export const mockTimes: MockTimes = { ...streamTimes, emitIntervalMs: mockLimits.emitIntervalMs };

export interface MockStateOptions {
  readonly demo: Scenario;
  readonly times: MockTimes;
  readonly now: () => Date;
}

/** The log, the fetcher states, the streams and the emission of the mock, all in memory (companion services §1). */
export class MockState {
  readonly now: () => Date;
  readonly log = new DeploymentLog();
  readonly fetcherStates = new Map<string, FetcherState>();
  readonly broadcasts: Broadcasts;
  readonly emission: Emission<ScenarioTemplate>;
  readonly #demo: Scenario;

  constructor({ demo, times, now }: MockStateOptions) {
    this.now = now;
    this.#demo = demo;
    this.broadcasts = new Broadcasts(times);
    this.emission = new Emission({
      templates: demo.templates,
      intervalMs: times.emitIntervalMs,
      emit: (template) => this.take(eventAt(template, now()), 'sse-emitter'),
    });
    this.resetDemo();
  }

  /** Stores an event and publishes it on the streams. */
  take(event: DeploymentEventIngest, source: MockSource, progressReporter?: string): DeploymentRow {
    const now = this.now();
    const row = this.log.append(event, { now, progressReporter });
    this.broadcasts.publish(row, source, now);
    return row;
  }

  /** Resets to the state at startup (companion services §3, reading 10.3). */
  reset(): void {
    this.emission.stop();
    this.emission.rewind();
    this.fetcherStates.clear();
    this.resetDemo();
  }

  /** Keeps only the demo rows, makes them visible, and sets new times and ids. They are not published. */
  resetDemo(): void {
    const now = this.now();
    this.log.clear();
    this.log.demoEnabled = true;
    for (const item of this.#demo.events) this.log.append(eventAt(item, now), { now, demo: true });
  }

  stop(): void {
    this.emission.stop();
    this.broadcasts.stop();
  }
}
