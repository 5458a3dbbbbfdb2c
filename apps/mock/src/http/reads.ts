import { byCodePoint, instantKey, limits, parseId, parseInstant } from '@shiplog/contract';
import { listed, Problem, pageOf, parsedCursor } from '@shiplog/server';
import { byLadder, sortedDistinct } from '../name-order.ts';
import { offsetCursor, parseOffsetCursor } from '../offset-cursor.ts';
import type { MockState } from '../state.ts';
import type { MockApi } from './api.ts';

/** Listing, lookup and discovery (companion services §4). */
export function addReads(api: MockApi, { log }: MockState): void {
  api.serve('listDeployments', async ({ query }) => {
    const { service, environment, status, deployment_id: deploymentId, since, until, cursor, limit } = query;
    const offset = parsedCursor(cursor, parseOffsetCursor) ?? 0;
    const [from, before] = [since, until].map((bound) => bound && instantKey(parseInstant(bound) ?? bound));
    const found = log.visible.filter(
      (row) =>
        (service ?? row.service) === row.service &&
        (environment ?? row.environment) === row.environment &&
        (status ?? row.status) === row.status &&
        (deploymentId ?? row.deploymentId) === row.deploymentId &&
        (!from || row.instantKey >= from) &&
        (!before || row.instantKey < before),
    );
    const end = offset + (limit ?? limits.pageSizeDefault);
    const items = found.slice(offset, end).map(({ json }) => json);
    return pageOf(items, end < found.length ? offsetCursor(end) : undefined);
  });

  api.serve('getDeployment', async ({ params }) => {
    const id = parseId(params.id);
    const row = log.visible.find((candidate) => candidate.id === id);
    if (!row) throw new Problem('not-found', { detail: 'No deployment event has this id.' });
    return { status: 200, json: row.json };
  });

  api.serve('listServices', async () => {
    const items = sortedDistinct(
      log.visible.map(({ service }) => service),
      byCodePoint,
    );
    return listed({ items });
  });

  api.serve('listEnvironments', async () => {
    const items = sortedDistinct(
      log.visible.map(({ environment }) => environment),
      byLadder,
    );
    return listed({ items });
  });
}
