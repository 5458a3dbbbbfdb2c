import { type EvidenceFigure, type endpoints, limits, type RequestOf } from '@shiplog/contract';
import { parsedCursor } from '@shiplog/server';
import { windowOf } from '../answers/analytics.ts';
import { figuresOf } from '../answers/figures.ts';
import type { ItemRow, PageRequest } from '../db/analytics/evidence.ts';
import { stagesWithin } from '../db/analytics/funnel.ts';
import type { Queries } from '../db/database.ts';
import { logMark, readLogBegin } from '../db/log-mark.ts';
import type { FoldedAt } from '../db/log-reads.ts';
import { type AnalyticsSettings, windowShape } from '../domain/analytics-window.ts';
import { figureOf } from '../domain/evidence.ts';
import { pageCursor, parsePageCursor } from '../domain/page-cursor.ts';
import { coverageOf } from '../domain/period.ts';
import { scopeShape } from '../domain/scope.ts';
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
    const scope = await requestedScope(parts, query);
    const window = windowOf(query, at);
    const page = pageOf(query);
    const isPeriod = query.from !== undefined;
    return answers.answer({
      headers,
      request,
      isCold: true,
      mark,
      // The response depends only on these values and the log.
      key: JSON.stringify([figure, isPeriod, window.days, window.fromInstant, window.toInstant, scope, page]),
      compute: async () => {
        const read = async (log: Queries, { below }: FoldedAt) => {
          const stages = await stagesWithin(log, promotionOrder, scope);
          const begin = isPeriod ? await readLogBegin(log) : undefined;
          return { begin, stages, ...(await evidence[figure].read(log, { window, scope, below, page, stages })) };
        };
        const { state, result } = await reads.folded(read, { kind: 'long' });
        const { begin, stages, rows, ...totals } = result;
        const json = JSON.stringify({
          window: windowShape(window, begin === undefined ? undefined : coverageOf(window, begin)),
          scope: scope ? scopeShape(scope) : null,
          figure,
          ...figureOf(evidence[figure].rule, totals, { days: window.days, stages }),
          ...itemsPage(rows, page.size, figure),
        });
        return { state, json };
      },
    });
  });
}

type EvidenceQuery = RequestOf<typeof endpoints.getEvidence>['query'];

function pageOf({ cursor, counted, limit }: EvidenceQuery): PageRequest {
  return {
    after: parsedCursor(cursor, parsePageCursor),
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
