import type { Clock } from '@shiplog/client';
import type { DeploymentEvent } from '@shiplog/contract';
import type { Logger } from 'pino';
import type { Facts } from './domain/rule.ts';
import type { LogReader } from './log-reader.ts';
import type { TargetLoop } from './target-loop.ts';

export interface StuckWatchOptions {
  readonly log: LogReader;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly loops: readonly TargetLoop[];
  facts(event: DeploymentEvent): Facts;
}

const lookMs = 30_000;

/** Reports the deployments that the service lists as stuck (board-facts.md 3.3). */
export class StuckWatch {
  readonly #options: StuckWatchOptions;
  readonly #loops: readonly TargetLoop[];
  /** The latest event of each deployment that was stuck at the last check. */
  #events: ReadonlyMap<string, DeploymentEvent> = new Map();
  #hasLooked = false;

  constructor(options: StuckWatchOptions) {
    this.#options = options;
    this.#loops = options.loops.filter(({ config }) => config.rules.some(({ when }) => when.includes('stuck')));
  }

  /** Resolves when the signal is aborted, or at once if no rule needs the check. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    while (this.#loops.length > 0 && !signal.aborted) {
      await this.#look().catch((error) => {
        if (!signal.aborted) logger.warn({ err: error }, 'the check for stuck deployments failed; trying again');
      });
      await clock.sleep(lookMs, signal);
    }
  }

  async #look(): Promise<void> {
    const { log } = this.#options;
    const events = new Map<string, DeploymentEvent>();
    for (const place of await log.stuck()) {
      const key = JSON.stringify(place);
      const event = this.#events.get(key) ?? (await log.latestOf(place));
      // The deployment may have continued in the meantime.
      if (event?.status !== place.status || event.happened_at !== place.since) continue;
      events.set(key, event);
      await this.#judge(event);
    }
    this.#events = events;
    this.#hasLooked = true;
  }

  async #judge(event: DeploymentEvent): Promise<void> {
    const { clock, facts: factsFor } = this.#options;
    const facts = factsFor(event);
    const wanting: TargetLoop[] = [];
    for (const loop of this.#loops) if (await loop.wantsStuck(event, facts)) wanting.push(loop);
    if (wanting.length === 0) return;
    // A deployment that no earlier check found counts as stuck from now on. The first check may find old ones.
    const sinceMs = this.#hasLooked ? clock.now().getTime() : Date.parse(event.happened_at);
    const team = await facts.team();
    for (const loop of wanting) loop.addStuck(event, team, sinceMs);
  }
}
