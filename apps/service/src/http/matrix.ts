import { headerNames } from '@shiplog/contract';
import { type ComputedAnswer, ConditionalGet } from '@shiplog/server';
import { Flights, flightOf } from '../answers/flights.ts';
import type { Queries } from '../db/database.ts';
import { type LogMark, logMark } from '../db/log-mark.ts';
import type { LogReads } from '../db/log-reads.ts';
import { readMatrix } from '../db/matrix.ts';
import type { CoreApi } from './api.ts';
import { asOf } from './as-of.ts';
import { position } from './reads.ts';

export interface MatrixParts {
  readonly queries: Queries;
  readonly reads: LogReads;
}

/**
 * `GET /api/matrix` (§4 Read, readings 4.1 to 4.5; with `at`: questions.md 7). A matrix is read once at a time: boards that
 * ask while it is read share the next reading, which begins after they have asked.
 */
export function addMatrix(api: CoreApi, { queries, reads }: MatrixParts): void {
  const matrices = new ConditionalGet();
  const readings = new Flights<ComputedAnswer>();
  api.serve('getMatrix', async ({ query, headers }) => {
    const { service } = query;
    const { at, until } = await asOf(queries, query.at);
    // A stream goes on from the present alone.
    const marked = (mark: Pick<LogMark, 'position'>) => (at === undefined ? position(mark.position) : {});
    const key = JSON.stringify([service, at, until]);
    const compute = async (): Promise<ComputedAnswer> => {
      const read = (log: Queries) => readMatrix(log, { service, until });
      // The board of the present says where the stream goes on, which the primary alone knows.
      const snapshot = at === undefined ? await read(queries) : (await reads.quick(read)).result;
      const { tick, generatedAt, environmentsJson, rowsJson } = snapshot;
      const moment = at === undefined ? '' : `"at":"${at}",`;
      return {
        tick,
        headers: marked(snapshot),
        content: [...(at === undefined ? [] : [at]), environmentsJson, rowsJson],
        json: `{"generated_at":"${generatedAt}",${moment}"environments":${environmentsJson},"rows":${rowsJson}}`,
      };
    };
    return matrices.answer({
      ifNoneMatch: headers[headerNames.ifNoneMatch],
      key,
      state: async () => {
        const mark = await logMark(queries);
        return { tick: mark.tick, headers: marked(mark) };
      },
      compute: () => readings.run(key, () => flightOf(compute())),
    });
  });
}
