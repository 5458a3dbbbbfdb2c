import { headerNames } from '@shiplog/contract';
import { etagMatches, weakEtag } from '@shiplog/server';
import type { Queries } from '../db/database.ts';
import { logMark, readMatrix } from '../db/matrix.ts';
import type { CoreApi } from './api.ts';
import { EtagMemo } from './etag-memo.ts';
import { position } from './reads.ts';

/** `GET /api/matrix` (§4 Read, readings 4.1 to 4.5). */
export function addMatrix(api: CoreApi, queries: Queries): void {
  const memo = new EtagMemo();
  api.serve('getMatrix', async ({ query, headers }) => {
    const ifNoneMatch = headers[headerNames.ifNoneMatch];
    const key = query.service === undefined ? '' : `=${query.service}`;
    const known = ifNoneMatch === undefined ? undefined : memo.get(key);
    if (known && etagMatches(ifNoneMatch, known.etag)) {
      const mark = await logMark(queries);
      if (mark.tick === known.tick) return { status: 304, headers: cached(known.etag, mark.position) };
    }
    const snapshot = await readMatrix(queries, query.service);
    const etag = weakEtag(snapshot.environmentsJson, snapshot.rowsJson);
    memo.set(key, { tick: snapshot.tick, etag });
    if (etagMatches(ifNoneMatch, etag)) return { status: 304, headers: cached(etag, snapshot.position) };
    return {
      status: 200,
      headers: cached(etag, snapshot.position),
      json: `{"generated_at":"${snapshot.generatedAt}","environments":${snapshot.environmentsJson},"rows":${snapshot.rowsJson}}`,
    };
  });
}

function cached(etag: string, streamPosition: string | undefined): Record<string, string> {
  return { [headerNames.etag]: etag, 'Cache-Control': 'no-cache', ...position(streamPosition) };
}
