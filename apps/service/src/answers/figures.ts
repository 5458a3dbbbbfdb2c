import type { AnalyticsName, AnswerOf, EvidenceFigure, endpoints, OutageFigure } from '@shiplog/contract';
import type { Stage } from '@shiplog/text';
import {
  countByActor,
  countByHourOfWeek,
  countByStatus,
  countTerminal,
  readRowEvidence,
} from '../db/analytics/counts.ts';
import { durationItems, readDurations } from '../db/analytics/durations.ts';
import { type Evidence, type Items, type PageRequest, readItems } from '../db/analytics/evidence.ts';
import { countByStage, funnelItems, stagesWithin } from '../db/analytics/funnel.ts';
import { incidentItems, listIncidents, readRestoreMedians, restoreItems } from '../db/analytics/incidents.ts';
import { leadTimeItems, readLeadTimeMedians } from '../db/analytics/lead-times.ts';
import { readStability, reworkItems, rollbackItems } from '../db/analytics/stability.ts';
import { readStages, stageItems } from '../db/analytics/stages.ts';
import type { Queries } from '../db/database.ts';
import { listEnvironments } from '../db/discovery.ts';
import {
  comparedAnswer,
  doraAnswer,
  durationsAnswer,
  failureRateAnswer,
  frequencyAnswer,
  incidentsAnswer,
  stabilityAnswer,
  stagesAnswer,
  statusesAnswer,
} from '../domain/analytics-answers.ts';
import type { Window } from '../domain/analytics-window.ts';
import {
  type EvidenceRule,
  failureRateRule,
  frequencyRule,
  funnelRule,
  incidentsRule,
  median,
  observedRateRule,
  percentiles,
  percentilesByStatus,
  shareOfSuccesses,
} from '../domain/evidence.ts';
import { environmentsIn, funnel, lastEnvironments, productionOf, stagesOf } from '../domain/promotion-order.ts';
import type { Selection } from '../domain/scope.ts';
import type { KnownOutagesReader } from './known-outages.ts';
import {
  cursorParserOf,
  type ObservedEvidence,
  type ObservedPage,
  type ObservedRequest,
  observedEvidence,
  observedFigures,
  observedNote,
} from './observed.ts';
import type { OutageFacts } from './outage-facts.ts';

/** A question at one moment. */
export interface FigureRequest extends Selection {
  readonly limit: number;
  /** The window to compare with, if one was requested; `null` if the log may not have all its rows. */
  readonly previous: Window | null | undefined;
  /** For a period. */
  readonly coveredDays: number | undefined;
  /** For figures about outages. */
  readonly outages: OutageParts | undefined;
}

/** What figures about outages depend on besides the log. */
export interface OutageParts {
  readonly facts: OutageFacts;
  readonly countsSuspected: boolean;
}

interface EvidenceRequest extends Selection {
  readonly page: PageRequest;
  /** The stages of the promotion order that the response includes. */
  readonly stages: readonly string[];
}

/** Computes the members of an analytics response. */
type Figure<Name extends AnalyticsName> = (
  queries: Queries,
  request: FigureRequest,
) => Promise<Omit<AnswerOf<(typeof endpoints)[Name]>, 'window' | 'scope'>>;

interface EvidenceSource {
  readonly rule: EvidenceRule;
  readonly read: (queries: Queries, request: EvidenceRequest) => Promise<Evidence>;
}

export interface Figures {
  readonly answers: { readonly [Name in AnalyticsName]: Figure<Name> };
  readonly evidence: { readonly [Name in EvidenceFigure]: EvidenceSource };
  readonly observedEvidence: { readonly [Name in OutageFigure]: ObservedSource };
}

interface ObservedSource {
  readonly rule: EvidenceRule;
  readonly parseCursor: (cursor: string) => object | undefined;
  readonly read: (
    queries: Queries,
    request: Selection & { readonly outages: OutageParts; readonly page: ObservedPage },
  ) => Promise<ObservedEvidence>;
}

export interface FigureSettings {
  readonly promotionOrder: readonly Stage[];
  readonly knownOutages: KnownOutagesReader;
}

/** The service's only list of analytics responses and of figures with evidence. */
export function figuresOf({ promotionOrder, knownOutages: reader }: FigureSettings): Figures {
  const staged = async (queries: Queries) => stagesOf(await listEnvironments(queries), promotionOrder);
  const production = async (queries: Queries) => environmentsIn(await staged(queries), productionOf(promotionOrder));
  const items =
    (itemsOf: (selection: Selection) => Items): EvidenceSource['read'] =>
    (queries, request) =>
      readItems(queries, itemsOf(request), request.page);
  const dora = async (queries: Queries, { coveredDays, ...selection }: Omit<FigureRequest, 'limit' | 'previous'>) => {
    const terminal = await countTerminal(queries, selection);
    const lead = await readLeadTimeMedians(queries, selection, await production(queries));
    const restore = await readRestoreMedians(queries, selection);
    return doraAnswer({ terminal, lead, restore }, selection.window, coveredDays);
  };
  const observed = async (
    queries: Queries,
    { window, scope, below }: Selection,
    outages: OutageParts | undefined,
  ): Promise<ObservedRequest> => {
    if (!outages) throw new Error('figures about outages need the outage facts');
    const last = lastEnvironments(await listEnvironments(queries), promotionOrder);
    return { ...{ window, scope, below, reader }, ...outages, lastEnvironments: last };
  };
  const observedSource = (figure: OutageFigure, rule: EvidenceRule): ObservedSource => ({
    rule,
    parseCursor: cursorParserOf(figure),
    read: async (queries, { outages, page, ...request }) =>
      observedEvidence(queries, figure, { ...(await observed(queries, request, outages)), page }),
  });
  return {
    answers: {
      getDora: async (queries, { previous, ...request }) => {
        const answer = await dora(queries, request);
        if (previous === undefined) return answer;
        return comparedAnswer(answer, previous && (await dora(queries, { ...request, window: previous })));
      },
      getFrequency: async (queries, request) => frequencyAnswer(await countTerminal(queries, request), request.window),
      getChangeFailureRate: async (queries, request) =>
        failureRateAnswer(await countTerminal(queries, request), request.window),
      getDurationHistogram: async (queries, request) => durationsAnswer(await readDurations(queries, request)),
      getPromotionFunnel: async (queries, request) => {
        const stages = await stagesWithin(queries, promotionOrder, request.scope);
        const shown = (await staged(queries)).filter(({ stage }) => stages.includes(stage));
        return { stages: funnel(stages, await countByStage(queries, request, shown)) };
      },
      getStatusDistribution: async (queries, request) => statusesAnswer(await countByStatus(queries, request)),
      getHeatmap: async (queries, request) => ({ cells: await countByHourOfWeek(queries, request) }),
      getTopDeployers: async (queries, request) => ({
        deployers: await countByActor(queries, request, request.limit),
      }),
      getStages: async (queries, request) => stagesAnswer(await readStages(queries, request)),
      getStability: async (queries, request) => stabilityAnswer(await readStability(queries, request)),
      getOutageFigures: async (queries, { previous, outages, ...request }) => {
        const over = async (window: Window) =>
          observedFigures(queries, await observed(queries, { ...request, window }, outages));
        const { kpis, outages: counts } = await over(request.window);
        const before = previous && (await over(previous)).kpis;
        const told = before === undefined ? kpis : comparedAnswer(kpis, before);
        return { ...told, outages: counts, note: observedNote };
      },
      getIncidents: async (queries, request) => incidentsAnswer(await listIncidents(queries, request, request.limit)),
    },
    evidence: {
      deployment_frequency: {
        rule: frequencyRule,
        read: (queries, request) => readRowEvidence(queries, request, { value: 'one', page: request.page }),
      },
      change_failure_rate: {
        rule: failureRateRule,
        read: (queries, request) => readRowEvidence(queries, request, { value: 'failed', page: request.page }),
      },
      lead_time: {
        rule: median('hours', 'lead time', 'lead times'),
        read: async (queries, request) =>
          readItems(queries, leadTimeItems(request, await production(queries)), request.page),
      },
      time_to_restore: {
        rule: median('minutes', 'restored incident', 'restored incidents'),
        read: items(restoreItems),
      },
      durations: { rule: percentiles('duration', 'durations'), read: items(durationItems) },
      promotion_funnel: {
        rule: funnelRule,
        read: async (queries, request) => {
          const all = await staged(queries);
          const stages = all.map((each) => ({ ...each, isShown: request.stages.includes(each.stage) }));
          return readItems(queries, funnelItems(request, stages), request.page);
        },
      },
      incidents: { rule: incidentsRule, read: items(incidentItems) },
      stages: { rule: percentilesByStatus('run', 'runs'), read: items(stageItems) },
      rollbacks: { rule: shareOfSuccesses('rollbacks'), read: items(rollbackItems) },
      rework: { rule: shareOfSuccesses('rework'), read: items(reworkItems) },
    },
    observedEvidence: {
      change_failure_rate_observed: observedSource('change_failure_rate_observed', observedRateRule),
      time_to_restore_observed: observedSource(
        'time_to_restore_observed',
        median('minutes', 'resolved outage', 'resolved outages'),
      ),
      time_to_detect: observedSource('time_to_detect', median('minutes', 'linked outage', 'linked outages')),
    },
  };
}
