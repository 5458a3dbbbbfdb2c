import { headerNames, parseMoment } from '@shiplog/contract';
import { ConditionalGet } from '@shiplog/server';
import type { Queries } from '../db/database.ts';
import { type LogMark, logMark } from '../db/log-mark.ts';
import { readMatrix } from '../db/matrix.ts';
import type { CoreApi } from './api.ts';
import { position } from './reads.ts';

/** `GET /api/matrix` (§4 Read, readings 4.1 to 4.5; with `at`: questions.md 7). */
export function addMatrix(api: CoreApi, queries: Queries): void {
  const matrices = new ConditionalGet();
  api.serve('getMatrix', ({ query, headers }) => {
    const { service } = query;
    const at = query.at === undefined ? undefined : parseMoment(query.at);
    // A stream goes on from the present alone.
    const marked = (mark: Pick<LogMark, 'position'>) => (at === undefined ? position(mark.position) : {});
    return matrices.answer({
      ifNoneMatch: headers[headerNames.ifNoneMatch],
      key: JSON.stringify([service, at]),
      state: async () => {
        const mark = await logMark(queries);
        return { tick: mark.tick, headers: marked(mark) };
      },
      compute: async () => {
        const snapshot = await readMatrix(queries, { service, at });
        const { tick, generatedAt, environmentsJson, rowsJson } = snapshot;
        const asOf = at === undefined ? '' : `"at":"${at}",`;
        return {
          tick,
          headers: marked(snapshot),
          content: [...(at === undefined ? [] : [at]), environmentsJson, rowsJson],
          json: `{"generated_at":"${generatedAt}",${asOf}"environments":${environmentsJson},"rows":${rowsJson}}`,
        };
      },
    });
  });
}
