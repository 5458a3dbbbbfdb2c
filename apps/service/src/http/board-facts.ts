import { headerNames } from '@shiplog/contract';
import { validatedAnswer, weakEtag } from '@shiplog/server';
import { boardFacts } from '../answers/board-facts.ts';
import { Flights, flightOf } from '../answers/flights.ts';
import { logMark } from '../db/log-mark.ts';
import type { AnalyticsSettings } from '../domain/analytics-window.ts';
import type { CoreApi } from './api.ts';
import { position } from './reads.ts';
import { requestedScope } from './scope.ts';
import type { SlowParts } from './slow-answers.ts';

interface FactsParts extends SlowParts {
  readonly settings: AnalyticsSettings;
}

/** `GET /api/board/facts` (board-facts.md). Concurrent equal requests share one computation. */
export function addBoardFacts(api: CoreApi, parts: FactsParts): void {
  const { queries, reads, clients, settings } = parts;
  const judging = new Flights<Awaited<ReturnType<typeof read>>>();
  const read = async (scope: Awaited<ReturnType<typeof requestedScope>>) => {
    const { result } = await reads.folded(
      async (log, { lastId }) => ({ lastId, facts: await boardFacts(log, scope, settings.promotionOrder) }),
      { isExact: true },
    );
    return result;
  };
  api.serve('getBoardFacts', async ({ query, headers, request }) => {
    const { tick } = await logMark(queries);
    const scope = await requestedScope(parts, query);
    const key = JSON.stringify(scope ?? null);
    const share = () => judging.run(key, () => flightOf(read(scope)), tick);
    const { lastId, facts } = await clients.run({ request, key: `board-facts ${key}`, isCold: false }, share);
    const { generated_at, ...content } = facts;
    const text = JSON.stringify(content);
    const answer = { etag: weakEtag(text), json: `{"generated_at":"${generated_at}",${text.slice(1)}` };
    return validatedAnswer(headers[headerNames.ifNoneMatch], answer, position(lastId ?? undefined));
  });
}
