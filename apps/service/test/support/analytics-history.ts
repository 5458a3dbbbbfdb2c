import type { Client } from '@shiplog/client';
import { type AnalyticsWindow, type DeploymentEvent, type DeploymentEventIngest, statuses } from '@shiplog/contract';
import { micros } from '@shiplog/testing';
import fc from 'fast-check';
import * as plain from './plain-analytics.ts';
import type { PlainStage } from './plain-stage.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** A moment in or near a window: its start, its end, its middle, a midnight or any other, with an offset in minutes. */
const moment = fc.record({
  anchor: fc.constantFrom('from', 'to', 'middle', 'midnight', 'any'),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  minutes: fc.constantFrom(0, 0, 0, -1, 1, 5, 10, 30, 59, 60, 61, 240, 1440, 1441, -1500),
  fraction: fc.constantFrom('', '.5', '.000001', '.999999'),
});

const deploymentIds = ['a', 'b', 'c', 'd', 'e'];

/** An event with its position in a window. */
export const drawnEvent = fc.record({
  deployment: fc.constantFrom(...deploymentIds),
  service: fc.constantFrom('api', 'web'),
  environment: fc.constantFrom('dev', 'Staging', 'staging', 'qa', 'PROD', 'prod', 'Prod', 'elsewhere'),
  status: fc.constantFrom(...statuses, 'success', 'failure', 'success', 'failure'),
  actor: fc.constantFrom(undefined, 'alice', 'bob', 'unknown', ''),
  parents: fc.option(fc.uniqueArray(fc.constantFrom(...deploymentIds, 'nobody'), { minLength: 1, maxLength: 3 }), {
    nil: undefined,
    freq: 2,
  }),
  moment,
});

type DrawnEvent = typeof drawnEvent extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Places the event in this window. */
export function placed(drawn: DrawnEvent, window: AnalyticsWindow): DeploymentEventIngest {
  const from = Date.parse(window.from);
  const to = Date.parse(window.to);
  const any = Math.floor((from + drawn.moment.share * (to - from)) / minuteMs) * minuteMs;
  const anchors = {
    from,
    to,
    middle: from + Math.floor(window.days / 2) * dayMs,
    midnight: Math.floor(any / dayMs) * dayMs,
    any,
  };
  const at = new Date(anchors[drawn.moment.anchor as keyof typeof anchors] + drawn.moment.minutes * minuteMs);
  return {
    deployment_id: drawn.deployment,
    service: drawn.service,
    environment: drawn.environment,
    status: drawn.status,
    happened_at: at.toISOString().replace('.000Z', `${drawn.moment.fraction}Z`),
    ...(drawn.actor !== undefined && { actor: drawn.actor }),
    ...(drawn.parents !== undefined && { parent_deployments: drawn.parents }),
  };
}

export interface AskedFigures {
  readonly window?: string;
  readonly from?: string;
  readonly to?: string;
  readonly services?: string[];
  readonly environments?: string[];
  readonly teams?: string[];
}

export interface Judged {
  readonly client: Client;
  readonly ladder: readonly PlainStage[];
  /** The names of the stages that a scope selects; all stages by default. */
  readonly shown?: readonly string[];
  readonly rows: readonly DeploymentEvent[];
  /** The rows that a scope selects; all rows without a scope. */
  readonly includes?: (row: DeploymentEvent) => boolean;
}

/** All nine reports of a service, and the model's reports for the same rows, window and scope. */
export async function compared(query: AskedFigures, { client, ladder, shown, rows, includes }: Judged) {
  const limit = 5;
  const windowOf = (answer: { window: AnalyticsWindow }): plain.PlainWindow => ({
    ...answer.window,
    isPeriod: query.from !== undefined,
    ...(includes && { includes }),
  });
  const frequency = (await client.getFrequency({ query })).body;
  const rates = (await client.getChangeFailureRate({ query })).body;
  const histogram = (await client.getDurationHistogram({ query })).body;
  const stages = (await client.getPromotionFunnel({ query })).body;
  const distribution = (await client.getStatusDistribution({ query })).body;
  const heatmap = (await client.getHeatmap({ query })).body;
  const deployers = (await client.getTopDeployers({ query: { ...query, limit } })).body;
  const incidents = (await client.getIncidents({ query: { ...query, limit } })).body;
  const dora = (await client.getDora({ query })).body;
  const without = ({ window: _, scope: __, ...answer }: { window: AnalyticsWindow; scope?: unknown }) => answer;
  const { per_covered_day: _, ...ofAllDays } = dora.deployment_frequency;
  const instant = (text: string | null) => (text === null ? null : micros({ happened_at: text }));
  return {
    said: {
      frequency: without(frequency),
      rates: without(rates),
      histogram: without(histogram),
      stages: without(stages),
      distribution: without(distribution),
      heatmap: without(heatmap),
      deployers: without(deployers),
      incidents: incidents.incidents.map((incident) => ({
        ...incident,
        failed_at: instant(incident.failed_at),
        restored_at: instant(incident.restored_at),
      })),
      // The conformance tests check the part of a period that the log covers.
      dora: { ...without(dora), deployment_frequency: ofAllDays },
    },
    due: {
      frequency: { buckets: plain.plainFrequency(rows, windowOf(frequency)) },
      rates: { buckets: plain.plainFailureRates(rows, windowOf(rates)), elite_threshold: 0.15 },
      histogram: plain.plainHistogram(rows, windowOf(histogram)),
      stages: { stages: plain.plainFunnel(rows, windowOf(stages), ladder, shown) },
      distribution: { statuses: plain.plainDistribution(rows, windowOf(distribution)) },
      heatmap: { cells: plain.plainHeatmap(rows, windowOf(heatmap)) },
      deployers: { deployers: plain.plainDeployers(rows, windowOf(deployers), limit) },
      incidents: plain.plainIncidents(rows, windowOf(incidents), limit),
      dora: plain.plainDora(rows, windowOf(dora), ladder),
    },
  };
}
