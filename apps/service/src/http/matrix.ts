import { headerNames } from '@shiplog/contract';
import { ConditionalGet } from '@shiplog/server';
import type { Queries } from '../db/database.ts';
import { logMark } from '../db/log-mark.ts';
import { readMatrix } from '../db/matrix.ts';
import type { CoreApi } from './api.ts';
import { position } from './reads.ts';

/** `GET /api/matrix` (§4 Read, readings 4.1 to 4.5). */
export function addMatrix(api: CoreApi, queries: Queries): void {
  const matrices = new ConditionalGet();
  api.serve('getMatrix', ({ query: { service }, headers }) =>
    matrices.answer({
      ifNoneMatch: headers[headerNames.ifNoneMatch],
      key: service === undefined ? '' : `=${service}`,
      state: async () => {
        const mark = await logMark(queries);
        return { tick: mark.tick, headers: position(mark.position) };
      },
      compute: async () => {
        const snapshot = await readMatrix(queries, service);
        const { tick, generatedAt, environmentsJson, rowsJson } = snapshot;
        return {
          tick,
          headers: position(snapshot.position),
          content: [environmentsJson, rowsJson],
          json: `{"generated_at":"${generatedAt}","environments":${environmentsJson},"rows":${rowsJson}}`,
        };
      },
    }),
  );
}
