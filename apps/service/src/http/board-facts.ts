import { type BoardFacts, headerNames } from '@shiplog/contract';
import { validatedAnswer, weakEtag } from '@shiplog/server';
import { boardFacts } from '../answers/board-facts.ts';
import type { AnalyticsSettings } from '../domain/analytics-window.ts';
import type { FindingSettings } from '../domain/finding.ts';
import type { CoreApi } from './api.ts';
import { position } from './reads.ts';
import { requestedScope } from './scope.ts';
import { FoldedAnswers, type SlowParts } from './slow-answers.ts';

interface FactsParts extends SlowParts {
  readonly settings: AnalyticsSettings;
  readonly findings: FindingSettings;
}

/** `GET /api/board/facts` (board-facts.md). */
export function addBoardFacts(api: CoreApi, parts: FactsParts): void {
  const { settings, findings } = parts;
  const answers = new FoldedAnswers<{ readonly facts: BoardFacts; readonly lastId: string | null }>(
    'board-facts',
    parts,
  );
  api.serve('getBoardFacts', async ({ query, headers, request }) => {
    const scope = await requestedScope(parts, query);
    const { facts, lastId } = await answers.read({
      request,
      key: JSON.stringify(scope ?? null),
      compute: async (log, { lastId, below }) => ({
        facts: await boardFacts(log, { scope, promotionOrder: settings.promotionOrder, findings, below }),
        lastId,
      }),
    });
    const { generated_at, ...content } = facts;
    const text = JSON.stringify(content);
    const answer = { etag: weakEtag(text), json: `{"generated_at":"${generated_at}",${text.slice(1)}` };
    return validatedAnswer(headers[headerNames.ifNoneMatch], answer, position(lastId ?? undefined));
  });
}
