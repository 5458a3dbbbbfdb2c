import { headerNames, limits, outageReport } from '@shiplog/contract';
import { conditionalJson, invalid, Problem, parsedCursor } from '@shiplog/server';
import type { Access } from '../access/access.ts';
import { linked } from '../answers/outage-links.ts';
import type { Queries, Sessions } from '../db/database.ts';
import { listEnvironments } from '../db/discovery.ts';
import { appendOutage, listOutages, type NewOutageRow, readOutage, readRows } from '../db/outages.ts';
import type { AnalyticsSettings } from '../domain/analytics-window.ts';
import { ownReport } from '../domain/component-report.ts';
import { causeFaults, type OutageState, placesOf, withinScope } from '../domain/outages.ts';
import { type OutageKey, outageCursor, parseOutageCursor } from '../domain/page-cursor.ts';
import { lastEnvironments } from '../domain/promotion-order.ts';
import { scopeShape } from '../domain/scope.ts';
import type { CoreApi } from './api.ts';
import { requestedScope, type ScopeSources, sentRange } from './scope.ts';

interface OutagesParts extends ScopeSources {
  readonly writes: Sessions & Queries;
  readonly access: Pick<Access, 'guard' | 'outages'>;
  readonly settings: Pick<AnalyticsSettings, 'promotionOrder'>;
  /** How long before an outage a deployment is suspected (`OUTAGE_LINK_HOURS`). */
  readonly linkHours: number;
}

/** Outages are read in batches of this size until a page is full. */
const batchSize = 500;

/** What broke, and which deployment caused it (outages.md). */
export function addOutages(api: CoreApi, parts: OutagesParts): void {
  const { queries, writes, access, settings, linkHours } = parts;
  const sources = async () => ({
    ...{ queries, linkHours },
    lastEnvironments: lastEnvironments(await listEnvironments(queries), settings.promotionOrder),
  });

  api.serve('appendOutage', async ({ body, request }) => {
    const row = rowOf(body);
    const faults = causeFaults(row);
    if (faults.length > 0) throw invalid(faults);
    access.outages.require(access.guard.senderOf(request));
    const { source, outage_id } = row;
    const stored = await appendOutage(writes, row, (at) => ownReport(outageReport, at, { source, outage_id }));
    const location = `/api/outages/${source}/${encodeURIComponent(outage_id)}`;
    return { status: 201, headers: { [headerNames.location]: location }, json: JSON.stringify(stored) };
  });

  api.serve('listOutages', async ({ query, headers }) => {
    const scope = await requestedScope(parts, query);
    const isInScope = withinScope(scope);
    const range = sentRange(query);
    const own = await sources();
    const size = query.limit ?? limits.pageSizeDefault;
    const found: OutageState[] = [];
    let after = parsedCursor(query.cursor, parseOutageCursor);
    for (let isMore = true; isMore && found.length <= size; ) {
      const question = { range, isOpen: query.open !== undefined, after, size: batchSize };
      const batch = await listOutages(queries, question);
      found.push(...batch.filter((outage) => isInScope(placesOf(outage, own.lastEnvironments))));
      const last = batch.at(-1);
      after = last && keyOf(last);
      isMore = batch.length === batchSize;
    }
    const items = await linked(found.slice(0, size), own);
    const last = found.length > size ? items.at(-1) : undefined;
    return conditionalJson(headers, {
      items,
      next_cursor: last ? outageCursor(keyOf(last)) : null,
      ...(scope && { scope: scopeShape(scope) }),
    });
  });

  api.serve('getOutage', async ({ params, headers }) => {
    const { source, outage_id } = params;
    // PostgreSQL can't store U+0000, so no outage contains it.
    const isName = !`${source}${outage_id}`.includes('\0');
    const outage = isName ? await readOutage(queries, source, outage_id) : undefined;
    if (!outage) throw new Problem('not-found', { detail: 'No outage has this source and id.' });
    const rows = await readRows(queries, source, outage_id, limits.outageRows);
    return conditionalJson(headers, { ...(await linked([outage], await sources()))[0], rows });
  });
}

/** The row without members that are `null`, which count as absent. */
function rowOf(body: object): NewOutageRow {
  const { caused_by, ...row } = body as NewOutageRow;
  const isSent = ([, value]: [string, unknown]) => value !== null && value !== undefined;
  const cause = caused_by && Object.fromEntries(Object.entries(caused_by).filter(isSent));
  return { ...row, ...(cause && { caused_by: cause }) };
}

function keyOf({ opened_at, source, outage_id }: OutageState): OutageKey {
  return { openedAt: opened_at, source, outageId: outage_id };
}
