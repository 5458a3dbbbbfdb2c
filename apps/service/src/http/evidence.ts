import { type EvidenceFigure, type endpoints, limits, type RequestOf } from '@shiplog/contract';
import { invalid, malformedCursor } from '@shiplog/server';
import { figuresOf } from '../answers/figures.ts';
import type { ItemRow, PageRequest } from '../db/analytics/evidence.ts';
import { stagesWithin } from '../db/analytics/funnel.ts';
import { logMark, readLogBegin } from '../db/log-mark.ts';
import { type AnalyticsSettings, type RequestTime, windowShape } from '../domain/analytics-window.ts';
import { figureOf } from '../domain/evidence.ts';
import { pageCursor, parsePageCursor } from '../domain/page-cursor.ts';
import { coverageOf, requestedWindow } from '../domain/period.ts';
import { type Scope, type Selection, scopeShape } from '../domain/scope.ts';
import type { CoreApi } from './api.ts';
import { requestedScope } from './scope.ts';
import { SlowAnswers, type SlowParts } from './slow-answers.ts';

interface EvidenceParts extends SlowParts {
  readonly settings: AnalyticsSettings;
  readonly retentionDays: number;
}

/** `GET /api/analytics/evidence/{figure}` (questions.md 4). */
export function addEvidence(api: CoreApi, parts: EvidenceParts): void {
  const answers = new SlowAnswers('evidence', parts);
  const { queries, reads, settings, retentionDays } = parts;
  const { granularity, promotionOrder } = settings;
  const { evidence } = figuresOf(promotionOrder);
  api.serve('getEvidence', async ({ params: { figure }, query, headers, request }) => {
    const mark = await logMark(queries);
    const at = { now: mark.now, granularity, retentionDays };
    const requested = { ...selectionOf(query, at, await requestedScope(parts, query)), page: pageOf(query) };
    const { window, scope, page } = requested;
    const isPeriod = query.from !== undefined;
    return answers.answer({
      headers,
      request,
      isCold: true,
      mark,
      // The answer depends on nothing but these and the log.
      key: JSON.stringify([figure, isPeriod, window.days, window.fromInstant, window.toInstant, scope, page]),
      compute: async () => {
        const { tick, result } = await reads.long(await logMark(queries), async (log) => {
          const stages = await stagesWithin(log, promotionOrder, scope);
          const begin = isPeriod ? await readLogBegin(log) : undefined;
          return { begin, stages, ...(await evidence[figure].read(log, { ...requested, stages })) };
        });
        const { begin, stages, rows, ...totals } = result;
        const json = JSON.stringify({
          window: windowShape(window, begin === undefined ? undefined : coverageOf(window, begin)),
          scope: scope ? scopeShape(scope) : null,
          figure,
          ...figureOf(evidence[figure].rule, totals, { days: window.days, stages }),
          ...itemsPage(rows, page.size, figure),
        });
        return { tick, json };
      },
    });
  });
}

type EvidenceQuery = RequestOf<typeof endpoints.getEvidence>['query'];

/** @throws Problem for a period that makes no sense. */
function selectionOf(query: EvidenceQuery, at: RequestTime, scope: Scope | undefined): Selection {
  const read = requestedWindow(query, at);
  if ('faults' in read) throw invalid(read.faults);
  return { window: read.window, scope };
}

/** @throws Problem for an invalid cursor. */
function pageOf({ cursor, counted, limit }: EvidenceQuery): PageRequest {
  const after = cursor === undefined ? undefined : parsePageCursor(cursor);
  if (cursor !== undefined && !after) throw malformedCursor();
  return {
    after,
    counted: counted === undefined ? undefined : counted === 'true',
    size: limit ?? limits.pageSizeDefault,
  };
}

function itemsPage(rows: readonly ItemRow[], size: number, figure: EvidenceFigure) {
  const last = rows.length > size ? rows[size - 1] : undefined;
  return {
    items: rows.slice(0, size).map((row) => itemOf(row, figure)),
    next_cursor: last ? pageCursor({ happenedAt: last.happened_at, id: last.id }) : null,
  };
}

function itemOf({ id, others, happened_at: _, status, ...row }: ItemRow, figure: EvidenceFigure) {
  const stage = figure === 'stages' && { status };
  const { service, environment, deployment_id, at, value, counted, reason } = row;
  return { service, environment, deployment_id, ...stage, at, value, counted, reason, event_ids: [id, ...others] };
}
