import type { Clock } from '@shiplog/client';
import { type Hold, parseInstant } from '@shiplog/contract';
import { compileGlobs } from '@shiplog/text';
import type { Logger } from 'pino';
import {
  breachNews,
  byInstant,
  holdNews,
  type NewsContent,
  type NewsHead,
  type NewsKind,
  outageNews,
} from './domain/news.ts';
import { asksFor, type NameFacts } from './domain/rule.ts';
import type { LogReader, Period } from './log-reader.ts';
import type { TargetLoop } from './target-loop.ts';

export interface NewsWatchOptions {
  readonly log: LogReader;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly loops: readonly TargetLoop[];
  readonly facts: NameFacts;
}

const lookMs = 10_000;

type Found = NewsHead & { content(): Promise<NewsContent> };

/** Checks every ten seconds for outages, holds and breaches that rules ask for (holds.md 4.4, outages.md 4). */
export class NewsWatch {
  readonly #options: NewsWatchOptions;
  readonly #loops: readonly TargetLoop[];

  constructor(options: NewsWatchOptions) {
    this.#options = options;
    this.#loops = options.loops.filter(({ config }) => asksFor(config.rules));
  }

  /** Resolves when the signal is aborted, or at once if no rule asks for news. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    while (this.#loops.length > 0 && !signal.aborted) {
      await this.#look().catch((error) => {
        if (!signal.aborted) logger.warn({ err: error }, 'the check for news failed; trying again');
      });
      await clock.sleep(lookMs, signal);
    }
  }

  async #look(): Promise<void> {
    const { clock, facts } = this.#options;
    const nowMs = clock.now().getTime();
    const maxAgeMs = Math.max(...this.#loops.map(({ config }) => config.maxAgeMs));
    const period = { from: instantOf(nowMs - maxAgeMs), to: instantOf(nowMs) };
    const found = await this.#found(period);
    const first = new Set(this.#loops.filter(({ hasNews }) => !hasNews));
    for (const each of found.toSorted((one, other) => byInstant(one.at, other.at))) {
      const wanting: TargetLoop[] = [];
      for (const loop of this.#loops) {
        if (await loop.wantsNews(each, facts)) wanting.push(loop);
      }
      if (wanting.length === 0) continue;
      const message = { ...each, content: await each.content() };
      for (const loop of wanting) loop.addNews(message, first.has(loop));
    }
    for (const loop of first) loop.beginNews();
  }

  async #found(period: Period): Promise<Found[]> {
    const asks = (...kinds: NewsKind[]) => this.#loops.some(({ config }) => asksFor(config.rules, kinds));
    const asksForHolds = asks('hold-begins', 'hold-ends');
    const holds = asksForHolds || asks('breach') ? await this.#options.log.holds(period) : [];
    return [
      ...(asks('outage-opened', 'outage-resolved') ? await this.#outages(period) : []),
      ...(asksForHolds && holds.length > 0 ? await this.#holds(holds, period) : []),
      ...(asks('breach') && holds.length > 0 ? await this.#breaches(holds, period) : []),
    ];
  }

  async #outages(period: Period): Promise<Found[]> {
    const { log } = this.#options;
    const outages = await log.outages(period);
    if (outages.length === 0) return [];
    const production = (await log.stages()).filter((stage) => stage.production).flatMap((stage) => stage.environments);
    return outages.flatMap((outage) => {
      const content = async () => {
        const [link] = outage.links;
        const deployment = link && (await log.event(link.event_id));
        return { outage, ...(deployment && { deployment }) };
      };
      return outageNews(outage, production).map((news) => ({ ...news, content }));
    });
  }

  async #holds(holds: readonly Hold[], period: Period): Promise<Found[]> {
    const { log } = this.#options;
    const [services, environments] = [await log.services(), await log.environments()];
    return holds.flatMap((hold) => {
      const names = {
        services: services.filter(compileGlobs(hold.services)),
        environments: environments.filter(compileGlobs(hold.environments)),
      };
      const content = async () => ({ hold });
      return holdNews(hold, period.to, names).map((news) => ({ ...news, content }));
    });
  }

  async #breaches(holds: readonly Hold[], period: Period): Promise<Found[]> {
    const { log } = this.#options;
    const holdOf = new Map(holds.map((hold) => [hold.id, hold]));
    return (await log.breaches(period)).flatMap((breach) => {
      const hold = holdOf.get(breach.hold_id);
      if (!hold) return [];
      const content = async () => {
        const deployment = await log.event(breach.event_id);
        return { hold, breach, ...(deployment && { deployment }) };
      };
      return [{ ...breachNews(breach), content }];
    });
  }
}

/** In the service's format of instants. */
function instantOf(ms: number): string {
  return parseInstant(new Date(ms).toISOString()) ?? '';
}
