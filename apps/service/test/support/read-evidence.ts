import type { Client } from '@shiplog/client';
import type { EvidenceFigure, EvidenceReport } from '@shiplog/contract';
import { expect } from 'vitest';
import type { AskedFigures } from './analytics-history.ts';
import { median } from './plain-analytics.ts';

type Percentiles = { readonly p50: number | null; readonly p95: number | null };

interface Pages {
  readonly limit: number;
  readonly counted?: 'true' | 'false';
}

/** All items, page after page; what is said beside them must be the same on every page. */
export async function readEvidence(
  client: Client,
  figure: EvidenceFigure,
  query: AskedFigures,
  { limit, counted }: Pages,
): Promise<EvidenceReport> {
  const ask = async (cursor: string | null) => {
    const page = { limit, ...(counted && { counted }), ...(cursor !== null && { cursor }) };
    return (await client.getEvidence({ params: { figure }, query: { ...query, ...page } })).body;
  };
  const first = await ask(null);
  const items = [...first.items];
  let { next_cursor } = first;
  while (next_cursor !== null) {
    const { items: more, next_cursor: next, ...said } = await ask(next_cursor);
    const { items: _, next_cursor: __, ...due } = first;
    expect(said).toEqual(due);
    expect(more.length).toBeGreaterThan(0);
    items.push(...more);
    next_cursor = next;
  }
  return { ...first, items, next_cursor };
}

function percentiles(values: readonly (number | null)[]): Percentiles {
  const sorted = values.filter((value) => value !== null).sort((one, other) => one - other);
  return { p50: median(sorted), p95: sorted[Math.ceil(0.95 * sorted.length) - 1] ?? null };
}

/** A figure anew from the items that are counted, as a reader of the evidence would (questions.md 4.4). */
export function recomputed(
  { figure, items, window }: EvidenceReport,
  shown: readonly string[],
): EvidenceReport['value'] {
  const counted = items.filter((item) => item.counted);
  const values = counted.map(({ value }) => value);
  const of = <Value>(names: readonly string[], valueFor: (name: string) => Value) =>
    Object.fromEntries(names.map((name) => [name, valueFor(name)]));
  switch (figure) {
    case 'deployment_frequency':
      return counted.length / window.days;
    case 'change_failure_rate':
      return counted.length === 0 ? null : values.filter((value) => value === 1).length / counted.length;
    case 'lead_time':
    case 'time_to_restore':
      return percentiles(values).p50;
    case 'durations':
      return percentiles(values);
    case 'promotion_funnel':
      return of(
        shown,
        (stage) => counted.filter((item) => item.environment.toLowerCase() === stage.toLowerCase()).length,
      );
    case 'stages':
      return of(['pending', 'queued', 'waiting', 'in-progress'], (status) =>
        percentiles(counted.filter((item) => item.status === status).map(({ value }) => value)),
      );
    default:
      return counted.length;
  }
}

/** What the figure's own call answers. */
export async function ownValue(
  client: Client,
  figure: EvidenceFigure,
  query: AskedFigures,
): Promise<EvidenceReport['value']> {
  switch (figure) {
    case 'durations': {
      const { p50, p95 } = (await client.getDurationHistogram({ query })).body;
      return { p50, p95 };
    }
    case 'promotion_funnel': {
      const { stages } = (await client.getPromotionFunnel({ query })).body;
      return Object.fromEntries(stages.map(({ environment, count }) => [environment, count]));
    }
    case 'incidents':
      return (await client.getIncidents({ query: { ...query, limit: 100 } })).body.incidents.length;
    case 'stages': {
      const { stages } = (await client.getStages({ query })).body;
      return Object.fromEntries(stages.map(({ status, p50, p95 }) => [status, { p50, p95 }]));
    }
    case 'rollbacks':
    case 'rework':
      return (await client.getStability({ query })).body[figure].count;
    default:
      return (await client.getDora({ query })).body[figure].value;
  }
}
