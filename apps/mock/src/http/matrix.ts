import { headerNames } from '@shiplog/contract';
import { etagMatches, weakEtag } from '@shiplog/server';
import { matrixOf } from '../matrix.ts';
import type { World } from '../world.ts';
import type { MockApi } from './api.ts';

/** `GET /api/matrix` (companion services §4; its ETag as in the core, reading 4.4). */
export function addMatrix(api: MockApi, { log, now }: World): void {
  api.serve('getMatrix', async ({ query, headers: sent }) => {
    const { service } = query;
    const rows = service === undefined ? log.visible : log.visible.filter((row) => row.service === service);
    const { environmentsJson, rowsJson } = matrixOf(rows);
    const etag = weakEtag(environmentsJson, rowsJson);
    const headers = { [headerNames.etag]: etag, 'Cache-Control': 'no-cache' };
    if (etagMatches(sent[headerNames.ifNoneMatch], etag)) return { status: 304, headers };
    const generatedAt = now().toISOString();
    const json = `{"generated_at":"${generatedAt}","environments":${environmentsJson},"rows":${rowsJson}}`;
    return { status: 200, headers, json };
  });
}
