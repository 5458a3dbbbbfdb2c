import type { AnyEvidenceItem, OutageFigure } from '@shiplog/contract';
import type { PageRequest } from '../db/analytics/evidence.ts';
import { countSuccesses, listMarkedBad, listRolledBack, readSuccesses } from '../db/analytics/observed.ts';
import type { Queries } from '../db/database.ts';
import type { EvidenceTotals } from '../domain/evidence.ts';
import {
  byOpening,
  countedFailures,
  detectOf,
  failedRows,
  isFailed,
  type KnownOutage,
  medianOf,
  type OutageQuestion,
  type OutageSample,
  observedKpis,
  outageCounts,
  outageItem,
  restoreOf,
  within,
} from '../domain/outage-figures.ts';
import { placesOf, withinScope } from '../domain/outages.ts';
import { type OutageKey, outageCursor, pageCursor, parseOutageCursor, parsePageCursor } from '../domain/page-cursor.ts';
import type { Selection } from '../domain/scope.ts';
import type { KnownOutagesReader } from './known-outages.ts';
import type { OutageFacts } from './outage-facts.ts';

export interface ObservedRequest extends Selection {
  readonly facts: OutageFacts;
  readonly lastEnvironments: readonly string[];
  readonly countsSuspected: boolean;
  readonly reader: KnownOutagesReader;
}

export const observedNote =
  'The change failure rate counts the deployments that an outage names, that a rollback replaced, or that were marked bad. A failure that becomes known later changes the past.';

/** The figures about outages, and how many outages there are by what is known of their cause (outages.md 3). */
export async function observedFigures(queries: Queries, request: ObservedRequest) {
  const { outages, failures, question } = await known(queries, request);
  const successes = await countSuccesses(queries, request, request.lastEnvironments);
  return { kpis: observedKpis({ successes, failures, outages }, question), outages: outageCounts(outages) };
}

/** What is known of the successes and outages of a question. */
async function known(queries: Queries, request: ObservedRequest) {
  const { facts, window, lastEnvironments, reader } = request;
  const question: OutageQuestion = request;
  const isInScope = withinScope(request.scope);
  const isWithin = within(window);
  const all = await reader.read(queries, request);
  const rows = failedRows(all.rows, {
    rolledBack: await listRolledBack(queries, request),
    markedBad: await listMarkedBad(queries, request, facts.badVersions),
  });
  return {
    question,
    rows,
    failures: countedFailures(rows.values(), question),
    outages: all.outages.filter(
      ({ outage, openedMicros }) => isWithin(openedMicros) && isInScope(placesOf(outage, lastEnvironments)),
    ),
  };
}

export interface ObservedPage {
  readonly cursor: string | undefined;
  readonly counted: boolean | undefined;
  readonly size: number;
}

export interface ObservedEvidence extends EvidenceTotals {
  readonly items: readonly AnyEvidenceItem[];
  readonly next_cursor: string | null;
}

/** Reads the cursors of a figure's evidence: the rate lists rows, the others list outages. */
export function cursorParserOf(figure: OutageFigure) {
  return figure === 'change_failure_rate_observed' ? parsePageCursor : parseOutageCursor;
}

/** A page of the evidence of a figure about outages, with the totals of all its items. */
export function observedEvidence(
  queries: Queries,
  figure: OutageFigure,
  request: ObservedRequest & { readonly page: ObservedPage },
): Promise<ObservedEvidence> {
  return figure === 'change_failure_rate_observed'
    ? rateEvidence(queries, request)
    : timeEvidence(queries, figure, request);
}

async function rateEvidence(queries: Queries, { page, ...request }: ObservedRequest & { readonly page: ObservedPage }) {
  const { rows, failures, question } = await known(queries, request);
  const { lastEnvironments } = request;
  const after = page.cursor === undefined ? undefined : parsePageCursor(page.cursor);
  const asked: PageRequest = { after, counted: page.counted, size: page.size };
  const found = await readSuccesses(queries, request, { page: asked, environments: lastEnvironments });
  const last = found.length > page.size ? found[page.size - 1] : undefined;
  const all = await countSuccesses(queries, request, 'all');
  const production = await countSuccesses(queries, request, lastEnvironments);
  const total = (counts: typeof all) => counts.reduce((sum, { success }) => sum + success, 0);
  return {
    parts: [{ part: 'failed', count: failures.length, p50: null, p95: null }],
    tallies: [
      { counted: true, reason: null, count: total(production) },
      { counted: false, reason: 'not-production' as const, count: total(all) - total(production) },
    ],
    items: found
      .slice(0, page.size)
      .map(({ id, service, environment, deployment_id, at, counted }): AnyEvidenceItem => {
        const row = rows.get(id);
        const value = counted ? Number(row !== undefined && isFailed(row, question)) : null;
        return {
          ...{ service, environment, deployment_id, at, value, counted },
          reason: counted ? null : 'not-production',
          event_ids: [id, ...(row?.rollback_id === undefined ? [] : [row.rollback_id])],
          ...{ rule: row?.rule ?? null, outages: [...(row?.outages ?? [])], holds: [...(row?.holds ?? [])] },
          undone: [...(row?.undone ?? [])],
        };
      }),
    next_cursor: last ? pageCursor({ happenedAt: last.happened_at, id: last.id }) : null,
  };
}

async function timeEvidence(
  queries: Queries,
  figure: Exclude<OutageFigure, 'change_failure_rate_observed'>,
  { page, ...request }: ObservedRequest & { readonly page: ObservedPage },
) {
  const { outages, question } = await known(queries, request);
  const sampleOf = figure === 'time_to_detect' ? (one: KnownOutage) => detectOf(one, question) : restoreOf;
  const samples = outages.toSorted((one, other) => byOpening(one.outage, other.outage)).map(sampleOf);
  const counted = samples.filter(({ reason }) => reason === null);
  const reasons = new Set(samples.flatMap(({ reason }) => reason ?? []));
  const after = page.cursor === undefined ? undefined : parseOutageCursor(page.cursor);
  const isAsked = ({ reason }: OutageSample) => page.counted === undefined || page.counted === (reason === null);
  const rest = samples.filter((sample) => isAsked(sample) && (!after || byOpening(sample.outage, keyed(after)) > 0));
  const last = rest.length > page.size ? rest[page.size - 1]?.outage : undefined;
  return {
    parts: [
      {
        ...{ part: null, count: counted.length, p95: null },
        p50: medianOf(counted.flatMap(({ value }) => value ?? [])),
      },
    ],
    tallies: [
      { counted: true, reason: null, count: counted.length },
      ...[...reasons].map((reason) => ({
        ...{ counted: false, reason },
        count: samples.filter((sample) => sample.reason === reason).length,
      })),
    ],
    items: rest.slice(0, page.size).map(outageItem),
    next_cursor: last
      ? outageCursor({ openedAt: last.opened_at, source: last.source, outageId: last.outage_id })
      : null,
  };
}

function keyed({ openedAt: opened_at, source, outageId: outage_id }: OutageKey) {
  return { opened_at, source, outage_id };
}
