import { type endpoints, limits, type RequestOf, type Status, statuses } from '@shiplog/contract';
import { conditionalJson, invalid, parsedCursor } from '@shiplog/server';
import type { FastifyRequest } from 'fastify';
import {
  type ChangesSelection,
  countChanges,
  countChangesByTime,
  type ListedChanges,
  listChangedPlaces,
  readAhead,
  readChanges,
  readDeployedReleases,
} from '../db/changes.ts';
import type { Queries } from '../db/database.ts';
import type { FoldedAt } from '../db/log-reads.ts';
import type { AnalyticsSettings } from '../domain/analytics-window.ts';
import {
  boundariesOf,
  type ChangeRange,
  type ChangesCursor,
  changesCursor,
  lastDay,
  parseChangesCursor,
  placesAfter,
  requestedRange,
} from '../domain/change-range.ts';
import { scopeShape } from '../domain/scope.ts';
import type { CoreApi } from './api.ts';
import { requestedEnvironments, requestedScope } from './scope.ts';
import type { SlowParts } from './slow-answers.ts';

interface ChangesParts extends SlowParts {
  readonly settings: AnalyticsSettings;
}

type Headers = RequestOf<typeof endpoints.listChanges>['headers'];

/** `GET /api/changes` and its histogram (changes.md). The responses depend on the clock, so they are not cached. */
export function addChanges(api: CoreApi, parts: ChangesParts): void {
  const { reads, clients, settings } = parts;
  const answer = async (
    { headers, request, key }: { headers: Headers; request: FastifyRequest; key: string },
    read: (queries: Queries, at: FoldedAt) => Promise<object>,
  ) => {
    const { result } = await clients.run({ request, key, isCold: false }, () => reads.folded(read));
    return conditionalJson(headers, result);
  };

  api.serve('listChanges', async ({ query, headers, request }) => {
    const isNet = query.net === 'true';
    if (isNet && query.state) throw invalid([{ pointer: '/state', message: "can't be combined with net=true" }]);
    const cursor = parsedCursor(query.cursor, (text) => cursorFor(text, isNet));
    const sent = sentRange(query) ?? cursor?.range;
    const scope = await requestedScope(parts, query);
    const environments = requestedEnvironments(query.environments, settings.promotionOrder);
    return answer({ headers, request, key: `changes ${JSON.stringify(query)}` }, async (log, at) => {
      const range = sent ?? lastDay(at.now);
      const selection = { range, scope: await environments.within(log, scope), states: query.state, ...at };
      const page = isNet ? netPage : changesPage;
      return {
        ...shapeOf({ range, scope }),
        counts: await countsOf(log, selection),
        ...(await page(log, selection, { cursor, size: query.limit ?? limits.pageSizeDefault })),
      };
    });
  });

  api.serve('getChangesHistogram', async ({ query, headers, request }) => {
    const sent = sentRange(query);
    const scope = await requestedScope(parts, query);
    const environments = requestedEnvironments(query.environments, settings.promotionOrder);
    return answer({ headers, request, key: `changes-histogram ${JSON.stringify(query)}` }, async (log, at) => {
      const range = sent ?? lastDay(at.now);
      const boundaries = boundariesOf(range, query.buckets ?? limits.changeBucketsDefault);
      const counts = await countChangesByTime(log, await environments.within(log, scope), boundaries);
      const buckets = boundaries.slice(1).map((to, part) => {
        const ofPart = counts.filter((count) => count.part === part).map(({ status, count }) => [status, count]);
        return { from: boundaries[part], to, by_state: byState(Object.fromEntries(ofPart)) };
      });
      return { ...shapeOf({ range, scope }), buckets };
    });
  });
}

/** A cursor of the same kind of page. */
function cursorFor(text: string, isNet: boolean): ChangesCursor | undefined {
  const cursor = parseChangesCursor(text);
  return cursor && 'place' in cursor.after === isNet ? cursor : undefined;
}

/** @throws Problem 422 */
function sentRange(query: Partial<ChangeRange>): ChangeRange | undefined {
  const requested = requestedRange(query);
  if ('fault' in requested) throw invalid([requested.fault]);
  return requested.range;
}

function shapeOf({ range, scope }: ChangesSelection) {
  return { from: range.from, to: range.to, scope: scope ? scopeShape(scope) : null };
}

async function countsOf(log: Queries, selection: ChangesSelection) {
  const { services, elsewhere, byState: found } = await countChanges(log, selection);
  const by_state = byState(found);
  const changes = Object.values(by_state).reduce((sum, count) => sum + count, 0);
  return { changes, services, by_state, elsewhere };
}

function byState(found: Readonly<Partial<Record<Status, number>>>): Record<Status, number> {
  return Object.fromEntries(statuses.map((status) => [status, found[status] ?? 0])) as Record<Status, number>;
}

interface Page {
  readonly cursor: ChangesCursor | undefined;
  readonly size: number;
}

async function changesPage(log: Queries, listed: ListedChanges, { cursor, size }: Page) {
  const after = cursor && 'change' in cursor.after ? cursor.after.change : undefined;
  const { items, next } = await readChanges(log, listed, { after, size });
  return {
    ahead: cursor ? [] : await readAhead(log, listed),
    items,
    next_cursor: next ? changesCursor({ range: listed.range, after: { change: next } }) : null,
  };
}

async function netPage(log: Queries, listed: ListedChanges, { cursor, size }: Page) {
  const after = cursor && 'place' in cursor.after ? cursor.after.place : undefined;
  const { items, next } = placesAfter(await listChangedPlaces(log, listed), after, size);
  const ids = items.flatMap(({ before_id, after_id }) => [before_id, after_id].filter((id) => id !== null));
  const releases = await readDeployedReleases(log, ids);
  const releaseOf = (id: string | null) => (id === null ? null : (releases.get(id) ?? null));
  return {
    ahead: [],
    items: items.map(({ service, environment, before_id, after_id, ...counts }) => {
      return { service, environment, before: releaseOf(before_id), after: releaseOf(after_id), ...counts };
    }),
    next_cursor: next ? changesCursor({ range: listed.range, after: { place: next } }) : null,
  };
}
