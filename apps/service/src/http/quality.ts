import { type FindingKind, findingKinds, headerNames, limits } from '@shiplog/contract';
import { conditionalAnswer, parsedCursor } from '@shiplog/server';
import { judgeQuality } from '../answers/quality.ts';
import type { Queries } from '../db/database.ts';
import { listRefusedPosts } from '../db/refused-posts.ts';
import { countsOf, findingPage, historyIn, parseFindingCursor } from '../domain/finding.ts';
import { type Scope, scopeShape } from '../domain/scope.ts';
import type { CoreApi } from './api.ts';
import { requestedScope } from './scope.ts';
import { FoldedAnswers, type SlowParts } from './slow-answers.ts';

/**
 * `GET /api/quality` (questions.md 10). The response depends on the current time, so it is not cached, but concurrent
 * equal requests share one computation.
 */
export function addQuality(api: CoreApi, parts: SlowParts): void {
  const reports = new FoldedAnswers<Awaited<ReturnType<typeof judgeWithRefused>>>('quality', parts);
  api.serve('getQuality', async ({ query, headers, request }) => {
    const after = parsedCursor(query.cursor, parseFindingCursor);
    const scope = await requestedScope(parts, query);
    const { kind: asked = findingKinds } = query;
    // Count all kinds (questions.md 12.10), unless the client wants only those that it requested.
    const kinds = query.counts === 'asked' ? findingKinds.filter((kind) => asked.includes(kind)) : findingKinds;
    const { emitters, findings, refused, now } = await reports.read({
      request,
      key: JSON.stringify([scope, kinds]),
      compute: (log) => judgeWithRefused(log, scope, kinds),
    });
    const history = kinds.includes('late') ? historyIn(findings) : 0;
    const requested = findings.filter(({ kind }) => asked.includes(kind));
    const { items, next } = findingPage(requested, after, query.limit ?? limits.pageSizeDefault);
    const content = {
      ...(scope && { scope: scopeShape(scope) }),
      emitters,
      ...(refused.length > 0 && { refused }),
      findings: items,
      counts: countsOf(findings, kinds),
      ...(history > 0 && { late_before_reporters: history }),
      next_cursor: next,
    };
    return conditionalAnswer(headers[headerNames.ifNoneMatch], {
      content: [JSON.stringify(content)],
      json: JSON.stringify({ generated_at: new Date(now).toISOString(), ...content }),
    });
  });
}

async function judgeWithRefused(queries: Queries, scope: Scope | undefined, kinds: readonly FindingKind[]) {
  return { ...(await judgeQuality(queries, scope, kinds)), refused: await listRefusedPosts(queries) };
}
