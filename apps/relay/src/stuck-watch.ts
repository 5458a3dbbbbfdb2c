import type { Clock } from '@shiplog/client';
import type { DeploymentEvent } from '@shiplog/contract';
import type { Logger } from 'pino';
import { stuckAfterMs } from './domain/past.ts';
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
const hourMs = 3_600_000;

/**
 * Finds stuck deployments (questions §10.2) among the board's rows, the latest of each slot. A deployment that was
 * replaced by a later one in its slot is not checked.
 */
export class StuckWatch {
  readonly #options: StuckWatchOptions;
  readonly #loops: readonly TargetLoop[];

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
    const { log, clock } = this.#options;
    const now = clock.now();
    const open = await log.open();
    for (const event of open.filter(({ happened_at }) => now.getTime() - Date.parse(happened_at) > hourMs)) {
      await this.#judge(event, now);
    }
  }

  async #judge(event: DeploymentEvent, now: Date): Promise<void> {
    const { log, facts: factsFor } = this.#options;
    const facts = factsFor(event);
    const wanting: TargetLoop[] = [];
    for (const loop of this.#loops) if (await loop.wantsStuck(event, facts)) wanting.push(loop);
    if (wanting.length === 0) return;
    const sinceMs = Date.parse(event.happened_at) + stuckAfterMs(await log.durations(event, now));
    if (sinceMs >= now.getTime() || (await log.latestOf(event))?.id !== event.id) return;
    const team = await facts.team();
    for (const loop of wanting) loop.addStuck(event, team, sinceMs);
  }
}
