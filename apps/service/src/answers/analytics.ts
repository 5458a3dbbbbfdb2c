import { type AnalyticsName, limits } from '@shiplog/contract';
import { invalid } from '@shiplog/server';
import type { Queries } from '../db/database.ts';
import { readLogBegin } from '../db/log-mark.ts';
import { type AnalyticsSettings, type RequestTime, type Window, windowShape } from '../domain/analytics-window.ts';
import { coverageOf, type PeriodQuestion, previousWindow, requestedWindow } from '../domain/period.ts';
import { type Scope, scopeShape } from '../domain/scope.ts';
import type { FigureRequest, Figures, OutageParts } from './figures.ts';
import type { OutageFacts } from './outage-facts.ts';

interface AnalyticsQuery extends PeriodQuestion {
  readonly limit?: number;
  readonly compare?: 'previous';
  readonly suspected?: 'count';
}

/** A question at one moment. */
export interface AnalyticsQuestion {
  /** Everything that the response depends on besides the log. */
  readonly key: string;
  /** A connection is reserved for the standard windows. */
  readonly isStandard: boolean;
  /** @param below as in `Selection`. */
  compute(queries: Queries, below: string): Promise<string>;
}

export class AnalyticsQuestions {
  readonly #settings: AnalyticsSettings;
  readonly #retentionDays: number;
  readonly #answers: Figures['answers'];

  constructor(settings: AnalyticsSettings, figures: Figures, retentionDays: number) {
    this.#settings = settings;
    this.#retentionDays = retentionDays;
    this.#answers = figures.answers;
  }

  get names(): readonly AnalyticsName[] {
    return Object.keys(this.#answers) as AnalyticsName[];
  }

  /** @throws Problem for a question that makes no sense at this moment. */
  of(
    name: AnalyticsName,
    query: AnalyticsQuery,
    { scope, now, facts }: { readonly scope: Scope | undefined; readonly now: number; readonly facts?: OutageFacts },
  ): AnalyticsQuestion {
    const outages = facts && { facts, countsSuspected: query.suspected === 'count' };
    const at = { now, granularity: this.#settings.granularity, retentionDays: this.#retentionDays };
    const window = windowOf(query, at);
    const previous = query.compare && (previousWindow(window, query, at) ?? null);
    const { limit = limits.analyticsLimitDefault } = query;
    const isPeriod = query.from !== undefined;
    return {
      key: JSON.stringify([name, window, previous, isPeriod, limit, scope, ...(outages ? [outagesKey(outages)] : [])]),
      isStandard: scope === undefined && isStandard(query),
      compute: async (queries, below) => {
        const begin = isPeriod ? await readLogBegin(queries) : null;
        const coverage = isPeriod ? coverageOf(window, begin) : undefined;
        const isCovered = !previous || coverageOf(previous, begin).from === previous.fromInstant;
        const request: FigureRequest = {
          ...{ window, scope, below, limit, coveredDays: coverage?.days },
          previous: isCovered ? previous : null,
          outages,
        };
        return JSON.stringify({
          window: windowShape(window, coverage),
          ...(scope && { scope: scopeShape(scope) }),
          ...(await this.#answers[name](queries, request)),
        });
      },
    };
  }
}

/** Everything that figures about outages depend on besides the log. */
export function outagesKey({ facts, countsSuspected }: OutageParts): string {
  return JSON.stringify([facts.revision, countsSuspected]);
}

/** The standard windows. Other questions must not delay their responses. */
function isStandard({ from, to, limit = limits.analyticsLimitDefault }: AnalyticsQuery): boolean {
  return from === undefined && to === undefined && limit === limits.analyticsLimitDefault;
}

/** @throws Problem for a period that makes no sense. */
export function windowOf(query: PeriodQuestion, at: RequestTime): Window {
  const requested = requestedWindow(query, at);
  if ('faults' in requested) throw invalid(requested.faults);
  return requested.window;
}
