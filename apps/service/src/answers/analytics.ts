import { type AnalyticsName, analyticsWindows, endpoints, limits } from '@shiplog/contract';
import { invalid } from '@shiplog/server';
import { looseEndsMax } from '../db/analytics/lead-times.ts';
import type { Queries } from '../db/database.ts';
import { readLogBegin } from '../db/log-mark.ts';
import { type AnalyticsSettings, type RequestTime, type Window, windowShape } from '../domain/analytics-window.ts';
import { coverageOf, type PeriodQuestion, previousWindow, requestedWindow } from '../domain/period.ts';
import { type Scope, scopeShape } from '../domain/scope.ts';
import type { Computed, Question } from './cached-answers.ts';
import { type FigureRequest, type Figures, figuresOf } from './figures.ts';

interface AnalyticsQuery extends PeriodQuestion {
  readonly limit?: number;
  readonly compare?: 'previous';
}

interface Requested extends Omit<FigureRequest, 'coveredDays' | 'looseEnds'> {
  /** Whether the request had `from` and `to`. */
  readonly isPeriod: boolean;
}

type Compute = (queries: Queries, request: FigureRequest) => Promise<object>;

export class AnalyticsQuestions {
  readonly #settings: AnalyticsSettings;
  readonly #retentionDays: number;
  readonly #answers: Figures['answers'];

  constructor(settings: AnalyticsSettings, retentionDays: number) {
    this.#settings = settings;
    this.#retentionDays = retentionDays;
    this.#answers = figuresOf(settings.promotionOrder).answers;
  }

  get names(): readonly AnalyticsName[] {
    return Object.keys(this.#answers) as AnalyticsName[];
  }

  of(name: AnalyticsName, query: AnalyticsQuery, scope: Scope | undefined): Question {
    const { granularity } = this.#settings;
    const { dependence, compute } = this.#answers[name];
    return {
      text: JSON.stringify([name, normal(name, query), scope]),
      dependence,
      scope,
      isStandard: scope === undefined && isStandard(query),
      resolve: ({ now, begin }) => {
        const request = requestOf(query, { now, granularity, retentionDays: this.#retentionDays }, scope);
        const { window, previous, isPeriod } = request;
        const covered = [window, previous].map((each) => each && coverageOf(each, begin));
        return {
          text: JSON.stringify([window, previous, ...(isPeriod ? covered : [])]),
          from: (previous ?? window).fromInstant,
          to: window.toInstant,
          compute: (queries) => computed(queries, request, compute),
        };
      },
    };
  }

  /** Rebuilds a question from its text; `undefined` if this version does not know it. */
  read(text: string): Question | undefined {
    const [name, query, scope] = JSON.parse(text) as [AnalyticsName, AnalyticsQuery, Scope | null];
    return Object.hasOwn(this.#answers, name) ? this.of(name, query, scope ?? undefined) : undefined;
  }
}

async function computed(queries: Queries, request: Requested, compute: Compute): Promise<Computed> {
  const looseEnds: string[] = [];
  const { window, scope, isPeriod } = request;
  const begin = isPeriod ? await readLogBegin(queries) : null;
  const coverage = isPeriod ? coverageOf(window, begin) : undefined;
  const previous =
    request.previous && coverageOf(request.previous, begin).from !== request.previous.fromInstant
      ? null
      : request.previous;
  const answer = await compute(queries, { ...request, previous, coveredDays: coverage?.days, looseEnds });
  const json = JSON.stringify({
    window: windowShape(window, coverage),
    ...(scope && { scope: scopeShape(scope) }),
    ...answer,
  });
  return { json, looseEnds: looseEnds.length > looseEndsMax ? null : looseEnds };
}

/** Only known parameters, so that meaningless ones can't fill the table of cached answers. */
function normal(name: AnalyticsName, { window, from, to, limit, compare }: AnalyticsQuery): AnalyticsQuery {
  const accepted = Object.keys(endpoints[name].query.properties);
  const known = analyticsWindows.find((each) => each === window) ?? analyticsWindows[0];
  return {
    ...(from === undefined && to === undefined ? { window: known } : { window, from, to }),
    ...(limit !== undefined && accepted.includes('limit') && { limit }),
    ...(compare && accepted.includes('compare') && { compare }),
  };
}

/** The standard windows. Other questions must not delay their answers. */
function isStandard({ from, to, limit = limits.analyticsLimitDefault }: AnalyticsQuery): boolean {
  return from === undefined && to === undefined && limit === limits.analyticsLimitDefault;
}

/** @throws Problem for a period that makes no sense. */
export function windowOf(query: PeriodQuestion, at: RequestTime): Window {
  const requested = requestedWindow(query, at);
  if ('faults' in requested) throw invalid(requested.faults);
  return requested.window;
}

function requestOf(query: AnalyticsQuery, at: RequestTime, scope: Scope | undefined): Requested {
  const window = windowOf(query, at);
  return {
    window,
    scope,
    limit: query.limit ?? limits.analyticsLimitDefault,
    previous: query.compare && (previousWindow(window, query, at) ?? null),
    isPeriod: query.from !== undefined,
  };
}
