import { byCodePoint, limits, parseId } from '@shiplog/contract';
import { malformedCursor, Problem } from '@shiplog/server';
import { instantKey } from '../deployment-log.ts';
import { byLadder, sortedDistinct } from '../name-order.ts';
import { offsetCursor, parseOffsetCursor } from '../offset-cursor.ts';
import type { MockState } from '../state.ts';
import type { MockApi } from './api.ts';

/** Listing, lookup and discovery (companion services §4). */
export function addReads(api: MockApi, { log }: MockState): void {
  api.serve('listDeployments', async ({ query }) => {
    const { service, environment, status, deployment_id: deploymentId, since, until, cursor, limit } = query;
    const offset = cursor === undefined ? 0 : parseOffsetCursor(cursor);
    if (offset === undefined) throw malformedCursor();
    const found = log.visible.filter(
      (row) =>
        (service ?? row.service) === row.service &&
        (environment ?? row.environment) === row.environment &&
        (status ?? row.status) === row.status &&
        (deploymentId ?? row.deploymentId) === row.deploymentId &&
        (since === undefined || row.instantKey >= instantKey(since)) &&
        (until === undefined || row.instantKey < instantKey(until)),
    );
    const end = offset + (limit ?? limits.pageSizeDefault);
    const items = found.slice(offset, end).map(({ json }) => json);
    const next = end < found.length ? JSON.stringify(offsetCursor(end)) : 'null';
    return answer(`{"items":[${items.join(',')}],"next_cursor":${next}}`);
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
    return answer(JSON.stringify({ items }));
  });

  api.serve('listEnvironments', async () => {
    const items = sortedDistinct(
      log.visible.map(({ environment }) => environment),
      byLadder,
    );
    return answer(JSON.stringify({ items }));
  });
}

function answer(json: string) {
  return { status: 200, headers: { 'Cache-Control': 'no-cache' }, json };
}
