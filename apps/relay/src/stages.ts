import type { Clock } from '@shiplog/client';
import type { BoardFacts } from '@shiplog/contract';
import { stageNamed } from '@shiplog/text';
import type { LogReader } from './log-reader.ts';

export interface StagesOptions {
  readonly log: Pick<LogReader, 'stages'>;
  readonly clock: Clock;
  /** Receives a sentence about a stage that the promotion order doesn't have. */
  readonly warn: (sentence: string) => void;
}

const freshMs = 30_000;

/** The stages of the promotion order with their environments, as the service has them (stages.md 4.12). */
export class Stages {
  readonly #options: StagesOptions;
  readonly #missing = new Set<string>();
  #stages: BoardFacts['stages'] = [];
  #askedMs = Number.NEGATIVE_INFINITY;

  constructor(options: StagesOptions) {
    this.#options = options;
  }

  /** Whether an environment of the log is in one of the stages. @throws if the service is unreachable. */
  async isIn(environment: string, names: readonly string[]): Promise<boolean> {
    const { log, clock } = this.#options;
    const nowMs = clock.now().getTime();
    const isKnown = this.#stages.some(({ environments }) => environments.includes(environment));
    if (!isKnown || nowMs - this.#askedMs >= freshMs) {
      this.#stages = await log.stages();
      this.#askedMs = nowMs;
    }
    return names.some((name) => this.#find(name)?.environments.includes(environment));
  }

  #find(name: string): BoardFacts['stages'][number] | undefined {
    const found = stageNamed(this.#stages, name);
    if (!found && !this.#missing.has(name)) {
      this.#missing.add(name);
      this.#options.warn(`No stage is named ${JSON.stringify(name)}, so rules with it match nothing.`);
    }
    return found;
  }
}
