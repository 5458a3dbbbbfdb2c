import { type AnswerOf, analyticsWindows, type EndpointName, endpoints, headerNames, limits } from '@shiplog/contract';
import { conditionalAnswer, invalid } from '@shiplog/server';
import type { Answers, Computed, Question } from '../answers/answers.ts';
import { countByActor, countByHourOfWeek, countByStatus, countTerminal } from '../db/analytics/counts.ts';
import { readDurations } from '../db/analytics/durations.ts';
import { countByStage, stagesWithin } from '../db/analytics/funnel.ts';
import { listIncidents, readRestoreMedians } from '../db/analytics/incidents.ts';
import { looseEndsMax, readLeadTimeMedians } from '../db/analytics/lead-times.ts';
import { countStability } from '../db/analytics/stability.ts';
import { readStages } from '../db/analytics/stages.ts';
import type { Dependence } from '../db/analytics/touched.ts';
import type { Queries } from '../db/database.ts';
import { listEnvironments } from '../db/discovery.ts';
import { readLogBegin } from '../db/log-begin.ts';
import {
  comparedAnswer,
  doraAnswer,
  durationsAnswer,
  failureRateAnswer,
  frequencyAnswer,
  incidentsAnswer,
  stagesAnswer,
  statusesAnswer,
} from '../domain/analytics-answers.ts';
import { type AnalyticsSettings, type AskedAt, type Window, windowShape } from '../domain/analytics-window.ts';
import { benchmarks } from '../domain/benchmarks.ts';
import { askedWindow, coverageOf, type PeriodQuestion, previousWindow } from '../domain/period.ts';
import { funnel, stagesOf } from '../domain/promotion-ladder.ts';
import { type Scope, type Selection, scopeShape } from '../domain/scope.ts';
import { stabilityAnswer } from '../domain/stability.ts';
import type { CoreApi } from './api.ts';
import type { ClientReads } from './client-reads.ts';
import { askedScope, type ScopeSources } from './scope.ts';

export interface AnalyticsParts extends ScopeSources {
  readonly answers: Answers;
  readonly questions: AnalyticsQuestions;
  readonly clients: ClientReads;
}

type AnalyticsName = Extract<
  EndpointName,
  `get${'Dora' | 'Frequency' | 'ChangeFailureRate' | 'DurationHistogram' | 'PromotionFunnel' | 'StatusDistribution' | 'Heatmap' | 'TopDeployers' | 'Incidents' | 'Stages' | 'Stability'}`
>;

interface Asked extends Selection {
  readonly limit: number;
  /** The window before, where the request compares with it: `null` where the log may not have all rows of it. */
  readonly previous: Window | null | undefined;
  /** It was asked for by `from` and `to`. */
  readonly isPeriod: boolean;
}

interface Computing extends Asked {
  /** Of a period. */
  readonly coveredDays: number | undefined;
  /** Gets the ancestors of which nothing is known before the end of the window: they may come. */
  readonly looseEnds: string[];
}

/** What one endpoint answers beside the window and the scope. */
type Compute<Name extends AnalyticsName> = (
  queries: Queries,
  asked: Computing,
) => Promise<Omit<AnswerOf<(typeof endpoints)[Name]>, 'window' | 'scope'>>;

type Computations = { readonly [Name in AnalyticsName]: Compute<Name> };

/** Each endpoint: what the database counts, and the answer that is made of it. */
function computations(ladder: readonly string[]): Computations {
  const stages = async (queries: Queries, wanted: readonly string[]) =>
    stagesOf(await listEnvironments(queries), wanted);
  const dora = async (
    queries: Queries,
    { looseEnds, coveredDays, ...selection }: Selection & Pick<Computing, 'looseEnds' | 'coveredDays'>,
  ) => {
    const terminal = await countTerminal(queries, selection);
    const production = (await stages(queries, ladder.slice(-1))).map(({ environment }) => environment);
    const lead = await readLeadTimeMedians(queries, selection, production);
    looseEnds.push(...lead.looseEnds);
    const restore = await readRestoreMedians(queries, selection);
    return doraAnswer({ terminal, lead: lead.medians, restore }, selection.window, coveredDays);
  };
  return {
    getDora: async (queries, { previous, ...asked }) => {
      const answer = await dora(queries, asked);
      if (previous === undefined) return answer;
      return comparedAnswer(answer, previous && (await dora(queries, { ...asked, window: previous })));
    },
    getFrequency: async (queries, asked) => frequencyAnswer(await countTerminal(queries, asked), asked.window),
    getChangeFailureRate: async (queries, asked) =>
      failureRateAnswer(await countTerminal(queries, asked), asked.window),
    getDurationHistogram: async (queries, asked) => durationsAnswer(await readDurations(queries, asked)),
    getPromotionFunnel: async (queries, asked) => {
      const wanted = await stagesWithin(queries, ladder, asked.scope);
      return { stages: funnel(wanted, await countByStage(queries, asked, await stages(queries, wanted))) };
    },
    getStatusDistribution: async (queries, asked) => statusesAnswer(await countByStatus(queries, asked)),
    getHeatmap: async (queries, asked) => ({ cells: await countByHourOfWeek(queries, asked) }),
    getTopDeployers: async (queries, asked) => ({ deployers: await countByActor(queries, asked, asked.limit) }),
    getStages: async (queries, asked) => stagesAnswer(await readStages(queries, asked)),
    getStability: async (queries, asked) => stabilityAnswer(await countStability(queries, asked)),
    getIncidents: async (queries, asked) => incidentsAnswer(await listIncidents(queries, asked, asked.limit)),
  };
}

/** What the answers of each endpoint depend on. */
const dependences: { readonly [Name in AnalyticsName]: Dependence } = {
  getDora: 'dora',
  getFrequency: 'counts',
  getChangeFailureRate: 'counts',
  getDurationHistogram: 'durations',
  getPromotionFunnel: 'counts',
  getStatusDistribution: 'counts',
  getHeatmap: 'counts',
  getTopDeployers: 'counts',
  getStages: 'stages',
  getStability: 'past',
  getIncidents: 'incidents',
};

/** The questions of analytics, from their parameters or from the text of one that was asked. */
export class AnalyticsQuestions {
  readonly #settings: AnalyticsSettings;
  readonly #retentionDays: number;
  readonly #computations: Computations;

  constructor(settings: AnalyticsSettings, retentionDays: number) {
    this.#settings = settings;
    this.#retentionDays = retentionDays;
    this.#computations = computations(settings.ladder);
  }

  of(name: AnalyticsName, query: AnalyticsQuery, scope: Scope | undefined): Question {
    const { granularity } = this.#settings;
    const { [name]: compute } = this.#computations as Readonly<Record<AnalyticsName, Compute<AnalyticsName>>>;
    return {
      text: JSON.stringify([name, normal(name, query), scope]),
      dependence: dependences[name],
      scope,
      isStandard: scope === undefined && isStandard(query),
      resolve: ({ now, begin }) => {
        const asked = askedOf(query, { now, granularity, retentionDays: this.#retentionDays }, scope);
        const { window, previous, isPeriod } = asked;
        const covered = [window, previous].map((each) => each && coverageOf(each, begin));
        return {
          text: JSON.stringify([window, previous, ...(isPeriod ? covered : [])]),
          from: (previous ?? window).fromInstant,
          to: window.toInstant,
          compute: (queries) => computed(queries, asked, compute),
        };
      },
    };
  }

  /** The same from its text; `undefined` where it is none of these. */
  read(text: string): Question | undefined {
    const [name, query, scope] = JSON.parse(text) as [AnalyticsName, AnalyticsQuery, Scope | null];
    return Object.hasOwn(dependences, name) ? this.of(name, query, scope ?? undefined) : undefined;
  }
}

async function computed(queries: Queries, asked: Asked, compute: Compute<AnalyticsName>): Promise<Computed> {
  const looseEnds: string[] = [];
  const { window, scope, isPeriod } = asked;
  const begin = isPeriod ? await readLogBegin(queries) : null;
  const coverage = isPeriod ? coverageOf(window, begin) : undefined;
  const previous =
    asked.previous && coverageOf(asked.previous, begin).from !== asked.previous.fromInstant ? null : asked.previous;
  const answer = await compute(queries, { ...asked, previous, coveredDays: coverage?.days, looseEnds });
  const json = JSON.stringify({
    window: windowShape(window, coverage),
    ...(scope && { scope: scopeShape(scope) }),
    ...answer,
  });
  return { json, looseEnds: looseEnds.length > looseEndsMax ? null : looseEnds };
}

/** `GET /api/analytics/*` (§4 Analytics, readings 5; scope and periods: questions.md 2 and 3). */
export function addAnalytics(api: CoreApi, { answers, questions, clients, ...sources }: AnalyticsParts): void {
  const benchmarksJson = JSON.stringify(benchmarks);
  api.serve('getBenchmarks', async ({ headers }) =>
    conditionalAnswer(headers[headerNames.ifNoneMatch], { content: [benchmarksJson], json: benchmarksJson }),
  );
  for (const name of Object.keys(dependences) as AnalyticsName[]) {
    api.serve(name, async ({ query, headers, request }) => {
      const question = questions.of(name, query, await askedScope(sources, query));
      const computed = <Result>(compute: () => Promise<Result>) =>
        clients.run({ request, key: question.text, isCold: true }, compute);
      return answers.answer(question, headers[headerNames.ifNoneMatch], question.isStandard ? undefined : computed);
    });
  }
}

interface AnalyticsQuery extends PeriodQuestion {
  readonly limit?: number;
  readonly compare?: 'previous';
}

/** What of a request says what is asked: nobody fills the table of answers with parameters that mean nothing. */
function normal(name: AnalyticsName, { window, from, to, limit, compare }: AnalyticsQuery): AnalyticsQuery {
  const taken = Object.keys(endpoints[name].query.properties);
  const known = analyticsWindows.find((each) => each === window) ?? analyticsWindows[0];
  return {
    ...(from === undefined && to === undefined ? { window: known } : { window, from, to }),
    ...(limit !== undefined && taken.includes('limit') && { limit }),
    ...(compare && taken.includes('compare') && { compare }),
  };
}

/** The windows that everyone looks at: whatever else is asked for must not keep them waiting. */
function isStandard({ from, to, limit = limits.analyticsLimitDefault }: AnalyticsQuery): boolean {
  return from === undefined && to === undefined && limit === limits.analyticsLimitDefault;
}

/** @throws Problem for a period that makes no sense. */
function askedOf(query: AnalyticsQuery, at: AskedAt, scope: Scope | undefined): Asked {
  const read = askedWindow(query, at);
  if ('faults' in read) throw invalid(read.faults);
  const { window } = read;
  return {
    window,
    scope,
    limit: query.limit ?? limits.analyticsLimitDefault,
    previous: query.compare && (previousWindow(window, query, at) ?? null),
    isPeriod: query.from !== undefined,
  };
}
