import { readFileSync } from 'node:fs';
import type { DeploymentEvent, EvidenceFigure, EvidenceReport } from '@shiplog/contract';
import type { Figures, Placed } from './analytics.ts';
import { bodyOf, type QueryValues, withQuery } from './api.ts';

const specification = readFileSync(new URL('../../docs/specification/questions.md', import.meta.url), 'utf8');
const [, figures = ''] = /`figure` is one of ([^.]+)\. /.exec(specification) ?? [];

/** The figures with evidence, read from the specification (questions.md 4). */
export const evidenceFigures = [...figures.matchAll(/`(\w+)`/g)].map(([, figure]) => figure as EvidenceFigure);
if (evidenceFigures.length === 0) throw new Error('the specification lists no figures with evidence');

export function evidencePath(figure: string): string {
  return `/api/analytics/evidence/${figure}`;
}

export async function readEvidence(
  log: Figures,
  figure: EvidenceFigure,
  query: QueryValues = {},
): Promise<EvidenceReport> {
  return bodyOf<EvidenceReport>(await log.send({ path: withQuery(evidencePath(figure), query) }));
}

/** Stores rows and returns them as stored. The default slot is service pay in prod. */
export async function storeRows(log: Figures, ...rows: readonly Placed[]): Promise<DeploymentEvent[]> {
  const stored: DeploymentEvent[] = [];
  for (const [day, time, fields] of rows) {
    stored.push(await log.append({ service: 'pay', environment: 'prod', happened_at: log.at(day, time), ...fields }));
  }
  return stored;
}

/** For each item: its time, its value, whether it counts, the reason if not, and the indexes of its stored rows. */
export function toldItems({ items }: EvidenceReport, stored: readonly DeploymentEvent[]) {
  return items.map(({ at, value, counted, reason, event_ids }) => [
    at.slice(11, 16),
    value,
    counted,
    reason,
    event_ids.map((id) => stored.findIndex((event) => event.id === id)),
  ]);
}
