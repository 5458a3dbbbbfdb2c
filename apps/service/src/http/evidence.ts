import {
  type AnyEvidenceItem,
  type EvidenceFigure,
  type EvidenceItem,
  type endpoints,
  limits,
  type OutageFigure,
  outageFigures,
  type RequestOf,
} from '@shiplog/contract';
import { parsedCursor } from '@shiplog/server';
import { outagesKey, windowOf } from '../answers/analytics.ts';
import type { Figures } from '../answers/figures.ts';
import type { OutageFactsReader } from '../answers/outage-facts.ts';
import type { ItemRow } from '../db/analytics/evidence.ts';
import { stagesWithin } from '../db/analytics/funnel.ts';
import type { Queries } from '../db/database.ts';
import { logMark, readLogBegin } from '../db/log-mark.ts';
import type { FoldedAt } from '../db/log-reads.ts';
import { type AnalyticsSettings, windowShape } from '../domain/analytics-window.ts';
import { type EvidenceRule, type EvidenceTotals, figureOf } from '../domain/evidence.ts';
import { pageCursor, parsePageCursor } from '../domain/page-cursor.ts';
import { coverageOf } from '../domain/period.ts';
import { type Selection, scopeShape } from '../domain/scope.ts';
import type { CoreApi } from './api.ts';
import { requestedScope } from './scope.ts';
import { SlowAnswers, type SlowParts } from './slow-answers.ts';

interface EvidenceParts extends SlowParts {
  readonly settings: AnalyticsSettings;
  readonly figures: Figures;
  readonly outageFacts: OutageFactsReader;
  readonly retentionDays: number;
}

/** `GET /api/analytics/evidence/{figure}` (questions.md 4). */
export function addEvidence(api: CoreApi, parts: EvidenceParts): void {
  const answers = new SlowAnswers('evidence', parts);
  const { queries, reads, settings, retentionDays } = parts;
  const { granularity, promotionOrder } = settings;
  api.serve('getEvidence', async ({ params: { figure }, query, headers, request }) => {
    const mark = await logMark(queries);
    const at = { now: mark.now, granularity, retentionDays };
    const scope = await requestedScope(parts, query);
    const window = windowOf(query, at);
    const source = await sourceOf(parts, figure, query);
    const isPeriod = query.from !== undefined;
    return answers.answer({
      headers,
      request,
      isCold: true,
      mark,
      // The response depends only on these values and the log.
      key: JSON.stringify([figure, isPeriod, window.days, window.fromInstant, window.toInstant, scope, ...source.key]),
      compute: async () => {
        const read = async (log: Queries, { below }: FoldedAt) => {
          const stages = await stagesWithin(log, promotionOrder, scope);
          const begin = isPeriod ? await readLogBegin(log) : undefined;
          return { begin, stages, ...(await source.read(log, { window, scope, below, stages })) };
        };
        const { state, result } = await reads.folded(read, { kind: 'long' });
        const { begin, stages, items, next_cursor, ...totals } = result;
        const json = JSON.stringify({
          window: windowShape(window, begin === undefined ? undefined : coverageOf(window, begin)),
          scope: scope ? scopeShape(scope) : null,
          figure,
          ...figureOf(source.rule, totals, { days: window.days, stages }),
          ...{ items, next_cursor },
        });
        return { state, json };
      },
    });
  });
}

type EvidenceQuery = RequestOf<typeof endpoints.getEvidence>['query'];

interface EvidencePage extends EvidenceTotals {
  readonly items: readonly AnyEvidenceItem[];
  readonly next_cursor: string | null;
}

/** A page of the evidence of one figure. */
interface PageSource {
  /** What the page depends on besides the log, the window and the scope. */
  readonly key: readonly unknown[];
  readonly rule: EvidenceRule;
  readonly read: (log: Queries, request: Selection & { readonly stages: readonly string[] }) => Promise<EvidencePage>;
}

/** @throws Problem 422 for a bad cursor. */
async function sourceOf(
  { figures, outageFacts }: EvidenceParts,
  figure: EvidenceFigure | OutageFigure,
  query: EvidenceQuery,
): Promise<PageSource> {
  const { cursor, limit, suspected } = query;
  const counted = query.counted === undefined ? undefined : query.counted === 'true';
  const size = limit ?? limits.pageSizeDefault;
  if (isObserved(figure)) {
    const { rule, read, parseCursor } = figures.observedEvidence[figure];
    parsedCursor(cursor, parseCursor);
    const outages = { facts: await outageFacts.current(), countsSuspected: suspected === 'count' };
    const page = { cursor, counted, size };
    return { key: [page, outagesKey(outages)], rule, read: (log, request) => read(log, { ...request, page, outages }) };
  }
  const { rule, read } = figures.evidence[figure];
  const page = { after: parsedCursor(cursor, parsePageCursor), counted, size };
  return {
    key: [page],
    rule,
    read: async (log, request) => {
      const { rows, ...totals } = await read(log, { ...request, page });
      return { ...totals, ...itemsPage(rows, size, figure) };
    },
  };
}

function isObserved(figure: EvidenceFigure | OutageFigure): figure is OutageFigure {
  return (outageFigures as readonly string[]).includes(figure);
}

function itemsPage(rows: readonly ItemRow[], size: number, figure: EvidenceFigure) {
  const last = rows.length > size ? rows[size - 1] : undefined;
  return {
    items: rows.slice(0, size).map((row) => itemOf(row, figure)),
    next_cursor: last ? pageCursor({ happenedAt: last.happened_at, id: last.id }) : null,
  };
}

function itemOf({ id, others, happened_at: _, status, ...row }: ItemRow, figure: EvidenceFigure): EvidenceItem {
  const stage = figure === 'stages' && { status: status as NonNullable<EvidenceItem['status']> };
  const { service, environment, deployment_id, at, value, counted } = row;
  const reason = row.reason as EvidenceItem['reason'];
  return { service, environment, deployment_id, ...stage, at, value, counted, reason, event_ids: [id, ...others] };
}
