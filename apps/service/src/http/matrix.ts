import { headerNames } from '@shiplog/contract';
import { ConditionalGet } from '@shiplog/server';
import type { Queries } from '../db/database.ts';
import { type LogMark, logMark } from '../db/log-mark.ts';
import { readMatrix } from '../db/matrix.ts';
import type { CoreApi } from './api.ts';
import { asOf } from './as-of.ts';
import { position } from './reads.ts';

/** `GET /api/matrix` (§4 Read, readings 4.1 to 4.5; with `at`: questions.md 7). */
export function addMatrix(api: CoreApi, queries: Queries): void {
  const matrices = new ConditionalGet();
  api.serve('getMatrix', async ({ query, headers }) => {
    const { service } = query;
    const { at, until } = await asOf(queries, query.at);
    // A stream goes on from the present alone.
    const marked = (mark: Pick<LogMark, 'position'>) => (at === undefined ? position(mark.position) : {});
    return matrices.answer({
      ifNoneMatch: headers[headerNames.ifNoneMatch],
      key: JSON.stringify([service, at, until]),
      state: async () => {
        const mark = await logMark(queries);
        return { tick: mark.tick, headers: marked(mark) };
      },
      compute: async () => {
        const snapshot = await readMatrix(queries, { service, until });
        const { tick, generatedAt, environmentsJson, rowsJson } = snapshot;
        const moment = at === undefined ? '' : `"at":"${at}",`;
        return {
          tick,
          headers: marked(snapshot),
          content: [...(at === undefined ? [] : [at]), environmentsJson, rowsJson],
          json: `{"generated_at":"${generatedAt}",${moment}"environments":${environmentsJson},"rows":${rowsJson}}`,
        };
      },
    });
  });
}
