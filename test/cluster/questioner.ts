import { setTimeout as delay } from 'node:timers/promises';
import type { StatusDistributionReport } from '@shiplog/contract';
import type { History } from '../faults/history.ts';
import { happenedDay } from '../faults/writers.ts';
import type { ServiceProcess } from './service-process.ts';

const everyMs = 50;
const withinMs = 30_000;

/** Polls an instance for the number of events. The count must include all posts acknowledged before the request. */
export class Questioner {
  readonly #instance: ServiceProcess;
  readonly #history: History;
  readonly #ended: Promise<void>;
  #stopped = false;
  #answers = 0;

  constructor(instance: ServiceProcess, history: History) {
    this.#instance = instance;
    this.#history = history;
    this.#ended = this.#ask();
  }

  /** The number of responses. */
  get answers(): number {
    return this.#answers;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#ended;
  }

  async #ask(): Promise<void> {
    while (!this.#stopped) {
      const { stored } = this.#history;
      const told = await this.#count();
      if (told !== undefined) {
        this.#answers += 1;
        if (told < stored) {
          this.#history.violated('lost', `${this.#instance.name} counts ${told} events after ${stored} were stored`);
        }
      }
      await delay(everyMs);
    }
  }

  /** Returns the count, or `undefined` if there is no response. This is allowed while the database is down. */
  async #count(): Promise<number | undefined> {
    const url = `${this.#instance.url}/api/analytics/status-distribution?from=${happenedDay.from}&to=${happenedDay.to}`;
    const answer = await fetch(url, { signal: AbortSignal.timeout(withinMs) }).catch(() => undefined);
    if (answer?.status !== 200) {
      if (answer && answer.status !== 503) this.#history.violated('answer', `a count got ${answer.status}`);
      return undefined;
    }
    const { statuses } = (await answer.json()) as StatusDistributionReport;
    return statuses.reduce((sum, { count }) => sum + count, 0);
  }
}
