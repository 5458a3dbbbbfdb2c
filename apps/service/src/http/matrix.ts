import { headerNames } from '@shiplog/contract';
import { type ComputedAnswer, ConditionalGet } from '@shiplog/server';
import { Flights, flightOf } from '../answers/flights.ts';
import type { Queries } from '../db/database.ts';
import { type LogMark, logMark, stateOf, textOf } from '../db/log-mark.ts';
import { readMatrix } from '../db/matrix.ts';
import type { CoreApi } from './api.ts';
import { asOf } from './as-of.ts';
import { position } from './reads.ts';
import type { SlowParts } from './slow-answers.ts';

/**
 * `GET /api/matrix` (§4 Read, readings 4.1 to 4.5; with `at`: questions.md 7). Equal requests that arrive during a read
 * share the next read. In the limit per client, a past board counts as a slow read, but the current board doesn't.
 */
export function addMatrix(api: CoreApi, { queries, reads, clients }: SlowParts): void {
  const matrices = new ConditionalGet();
  const readings = new Flights<ComputedAnswer>();
  api.serve('getMatrix', async ({ query, headers, request }) => {
    const { service } = query;
    const { at, until } = await asOf(queries, query.at);
    // A stream can only continue from the present state.
    const marked = (mark: Pick<LogMark, 'position'>) => (at === undefined ? position(mark.position) : {});
    const key = JSON.stringify([service, at, until]);
    const compute = async (): Promise<ComputedAnswer> => {
      const read = (log: Queries) => readMatrix(log, { service, until });
      // The current board includes the stream position, which only the primary knows.
      const snapshot = at === undefined ? await read(queries) : await reads.past(read);
      const { generatedAt, environmentsJson, rowsJson } = snapshot;
      const moment = at === undefined ? '' : `"at":"${at}",`;
      return {
        tick: textOf(stateOf(snapshot)),
        headers: marked(snapshot),
        content: [...(at === undefined ? [] : [at]), environmentsJson, rowsJson],
        json: `{"generated_at":"${generatedAt}",${moment}"environments":${environmentsJson},"rows":${rowsJson}}`,
      };
    };
    const share = () => readings.run(key, () => flightOf(compute()));
    return matrices.answer({
      ifNoneMatch: headers[headerNames.ifNoneMatch],
      key,
      state: async () => {
        const mark = await logMark(queries);
        return { tick: textOf(stateOf(mark)), headers: marked(mark) };
      },
      compute: () =>
        at === undefined ? share() : clients.run({ request, key: `matrix ${key}`, isCold: false }, share),
    });
  });
}
