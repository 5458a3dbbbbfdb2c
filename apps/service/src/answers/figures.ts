import type { AnalyticsName, AnswerOf, EvidenceFigure, endpoints } from '@shiplog/contract';
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
import { countStability, reworkItems, rollbackItems } from '../db/analytics/stability.ts';
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
  percentiles,
  percentilesByStatus,
  shareOfSuccesses,
} from '../domain/evidence.ts';
import { funnel, stagesOf } from '../domain/promotion-order.ts';
import type { Selection } from '../domain/scope.ts';
import { stabilityAnswer } from '../domain/stability.ts';

/** A question at one moment. */
export interface FigureRequest extends Selection {
  readonly limit: number;
  /** The window to compare with, if one was requested; `null` if the log may not have all its rows. */
  readonly previous: Window | null | undefined;
  /** For a period. */
  readonly coveredDays: number | undefined;
}

interface EvidenceRequest extends Selection {
  readonly page: PageRequest;
  /** The stages of the promotion order that the answer includes. */
  readonly stages: readonly string[];
}

/** Computes the members of an analytics answer. */
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
}

/** The service's only list of analytics answers and of figures with evidence. */
export function figuresOf(promotionOrder: readonly string[]): Figures {
  const environmentsOf = async (queries: Queries, stages: readonly string[]) =>
    stagesOf(await listEnvironments(queries), stages);
  const productionOf = async (queries: Queries) =>
    (await environmentsOf(queries, promotionOrder.slice(-1))).map(({ environment }) => environment);
  const items =
    (itemsOf: (selection: Selection) => Items): EvidenceSource['read'] =>
    (queries, request) =>
      readItems(queries, itemsOf(request), request.page);
  const dora = async (queries: Queries, { coveredDays, ...selection }: Omit<FigureRequest, 'limit' | 'previous'>) => {
    const terminal = await countTerminal(queries, selection);
    const lead = await readLeadTimeMedians(queries, selection, await productionOf(queries));
    const restore = await readRestoreMedians(queries, selection);
    return doraAnswer({ terminal, lead, restore }, selection.window, coveredDays);
  };
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
        const counts = await countByStage(queries, request, await environmentsOf(queries, stages));
        return { stages: funnel(stages, counts) };
      },
      getStatusDistribution: async (queries, request) => statusesAnswer(await countByStatus(queries, request)),
      getHeatmap: async (queries, request) => ({ cells: await countByHourOfWeek(queries, request) }),
      getTopDeployers: async (queries, request) => ({
        deployers: await countByActor(queries, request, request.limit),
      }),
      getStages: async (queries, request) => stagesAnswer(await readStages(queries, request)),
      getStability: async (queries, request) => stabilityAnswer(await countStability(queries, request)),
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
          readItems(queries, leadTimeItems(request, await productionOf(queries)), request.page),
      },
      time_to_restore: {
        rule: median('minutes', 'restored incident', 'restored incidents'),
        read: items(restoreItems),
      },
      durations: { rule: percentiles('duration', 'durations'), read: items(durationItems) },
      promotion_funnel: {
        rule: funnelRule,
        read: async (queries, request) => {
          const all = await environmentsOf(queries, promotionOrder);
          const stages = all.map((each) => ({ ...each, isShown: request.stages.includes(each.stage) }));
          return readItems(queries, funnelItems(request, stages), request.page);
        },
      },
      incidents: { rule: incidentsRule, read: items(incidentItems) },
      stages: { rule: percentilesByStatus('run', 'runs'), read: items(stageItems) },
      rollbacks: { rule: shareOfSuccesses('rollbacks'), read: items(rollbackItems) },
      rework: { rule: shareOfSuccesses('rework'), read: items(reworkItems) },
    },
  };
}
