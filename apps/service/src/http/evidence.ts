import { type EvidenceFigure, type endpoints, headerNames, limits, type RequestOf } from '@shiplog/contract';
import { invalid, malformedCursor } from '@shiplog/server';
import { stagesWithin } from '../db/analytics/funnel.ts';
import type { Queries } from '../db/database.ts';
import { listEnvironments } from '../db/discovery.ts';
import { durationItems } from '../db/evidence/durations.ts';
import { incidentItems, restoreItems } from '../db/evidence/incidents.ts';
import { type Evidence, type Items, readItems } from '../db/evidence/items.ts';
import { leadTimeItems } from '../db/evidence/lead-time.ts';
import type { AskedPage, ItemRow } from '../db/evidence/page.ts';
import { funnelItems } from '../db/evidence/promotion-funnel.ts';
import { readRows } from '../db/evidence/rows.ts';
import { reworkItems, rollbackItems } from '../db/evidence/stability.ts';
import { stageItems } from '../db/evidence/stages.ts';
import { readLogBegin } from '../db/log-begin.ts';
import { logMark } from '../db/log-mark.ts';
import type { LogReads } from '../db/log-reads.ts';
import { type AnalyticsSettings, type AskedAt, windowShape } from '../domain/analytics-window.ts';
import { figureOf } from '../domain/evidence.ts';
import { pageCursor, parsePageCursor } from '../domain/page-cursor.ts';
import { askedWindow, coverageOf } from '../domain/period.ts';
import { stagesOf } from '../domain/promotion-ladder.ts';
import { type Scope, type Selection, scopeShape } from '../domain/scope.ts';
import type { CoreApi } from './api.ts';
import type { ClientReads } from './client-reads.ts';
import { askedScope, type ScopeSources } from './scope.ts';
import { SlowAnswers } from './slow-answers.ts';

interface Asked extends Selection {
  readonly page: AskedPage;
  /** Of the ladder, as far as they are in the answer. */
  readonly stages: readonly string[];
}

type Read = (queries: Queries, asked: Asked) => Promise<Evidence>;

/** Each figure: the rows that could have been used, which of them are, and what they come to (questions.md 12.4). */
function readings(ladder: readonly string[]): { readonly [Figure in EvidenceFigure]: Read } {
  const places = async (queries: Queries, stages: readonly string[]) =>
    stagesOf(await listEnvironments(queries), stages);
  const fromItems =
    (items: (selection: Selection) => Items): Read =>
    (queries, asked) =>
      readItems(queries, items(asked), asked.page);
  return {
    deployment_frequency: (queries, asked) => readRows(queries, asked, { value: 'one', page: asked.page }),
    change_failure_rate: (queries, asked) => readRows(queries, asked, { value: 'failed', page: asked.page }),
    lead_time: async (queries, asked) => {
      const production = (await places(queries, ladder.slice(-1))).map(({ environment }) => environment);
      return readItems(queries, leadTimeItems(asked, production), asked.page);
    },
    time_to_restore: fromItems(restoreItems),
    durations: fromItems(durationItems),
    promotion_funnel: async (queries, asked) => {
      const all = await places(queries, ladder);
      const shown = all.map((place) => ({ ...place, isShown: asked.stages.includes(place.stage) }));
      return readItems(queries, funnelItems(asked, shown), asked.page);
    },
    incidents: fromItems(incidentItems),
    stages: fromItems(stageItems),
    rollbacks: fromItems(rollbackItems),
    rework: fromItems(reworkItems),
  };
}

export interface EvidenceParts extends ScopeSources {
  readonly reads: LogReads;
  readonly clients: ClientReads;
  readonly settings: AnalyticsSettings;
  readonly retentionDays: number;
}

/** `GET /api/analytics/evidence/{figure}` (questions.md 4). */
export function addEvidence(api: CoreApi, parts: EvidenceParts): void {
  const answers = new SlowAnswers('evidence', parts.clients);
  const { queries, reads, settings, retentionDays } = parts;
  const { granularity, ladder } = settings;
  const readEach = readings(ladder);
  api.serve('getEvidence', async ({ params: { figure }, query, headers, request }) => {
    const mark = await logMark(queries);
    const at = { now: mark.now, granularity, retentionDays };
    const asked = { ...selectionOf(query, at, await askedScope(parts, query)), page: pageOf(query) };
    const { window, scope, page } = asked;
    return answers.answer({
      request,
      isCold: true,
      tick: mark.tick,
      ifNoneMatch: headers[headerNames.ifNoneMatch],
      // The log and what is asked for say all that the answer depends on.
      key: JSON.stringify([
        figure,
        query.from === undefined,
        window.days,
        window.fromInstant,
        window.toInstant,
        scope,
        page,
      ]),
      state: async () => mark,
      compute: async () => {
        const { tick, result } = await reads.long(await logMark(queries), async (log) => {
          const shown = await stagesWithin(log, ladder, scope);
          const begin = query.from === undefined ? undefined : await readLogBegin(log);
          return { begin, stages: shown, ...(await readEach[figure](log, { ...asked, stages: shown })) };
        });
        const { begin, stages, rows, ...totals } = result;
        const json = JSON.stringify({
          window: windowShape(window, begin === undefined ? undefined : coverageOf(window, begin)),
          scope: scope ? scopeShape(scope) : null,
          ...figureOf(figure, totals, { days: window.days, stages }),
          ...shownPage(rows, page.size, figure),
        });
        return { tick, content: [json], json };
      },
    });
  });
}

type EvidenceQuery = RequestOf<typeof endpoints.getEvidence>['query'];

/** @throws Problem for a period that makes no sense. */
function selectionOf(query: EvidenceQuery, at: AskedAt, scope: Scope | undefined): Selection {
  const read = askedWindow(query, at);
  if ('faults' in read) throw invalid(read.faults);
  return { window: read.window, scope };
}

/** @throws Problem for a cursor that no page gave out. */
function pageOf({ cursor, counted, limit }: EvidenceQuery): AskedPage {
  const after = cursor === undefined ? undefined : parsePageCursor(cursor);
  if (cursor !== undefined && !after) throw malformedCursor();
  return {
    after,
    counted: counted === undefined ? undefined : counted === 'true',
    size: limit ?? limits.pageSizeDefault,
  };
}

function shownPage(rows: readonly ItemRow[], size: number, figure: EvidenceFigure) {
  const last = rows.length > size ? rows[size - 1] : undefined;
  return {
    items: rows.slice(0, size).map((row) => shownItem(row, figure)),
    next_cursor: last ? pageCursor({ happenedAt: last.happened_at, id: last.id }) : null,
  };
}

function shownItem({ id, others, happened_at: _, status, ...row }: ItemRow, figure: EvidenceFigure) {
  const stage = figure === 'stages' && { status };
  const { service, environment, deployment_id, at, value, counted, reason } = row;
  return { service, environment, deployment_id, ...stage, at, value, counted, reason, event_ids: [id, ...others] };
}
