import { headerNames, limits } from '@shiplog/contract';
import { conditionalAnswer, parsedCursor } from '@shiplog/server';
import type { KnownOutagesReader } from '../answers/known-outages.ts';
import type { OutageFactsReader } from '../answers/outage-facts.ts';
import { judgeOutages } from '../answers/outage-findings.ts';
import { judgeQuality } from '../answers/quality.ts';
import { listRefusedPosts } from '../db/refused-posts.ts';
import type { AnalyticsSettings } from '../domain/analytics-window.ts';
import {
  countsOf,
  type FindingSettings,
  findingPage,
  historyIn,
  isOfOutages,
  parseFindingCursor,
} from '../domain/finding.ts';
import { scopeShape } from '../domain/scope.ts';
import type { CoreApi } from './api.ts';
import { requestedScope } from './scope.ts';
import { FoldedAnswers, type SlowParts } from './slow-answers.ts';

interface QualityParts extends SlowParts {
  readonly findings: FindingSettings;
  readonly outageFacts: OutageFactsReader;
  readonly settings: Pick<AnalyticsSettings, 'promotionOrder'>;
  readonly knownOutages: KnownOutagesReader;
}

/**
 * `GET /api/quality` (questions.md 10). The response depends on the current time, so it is not cached, but concurrent
 * equal requests share one computation.
 */
export function addQuality(api: CoreApi, parts: QualityParts): void {
  const { outageFacts, knownOutages } = parts;
  const { promotionOrder } = parts.settings;
  const { kinds: known, provenEnvironments } = parts.findings;
  const reports = new FoldedAnswers<Judged>('quality', parts);
  api.serve('getQuality', async ({ query, headers, request }) => {
    const after = parsedCursor(query.cursor, parseFindingCursor);
    const scope = await requestedScope(parts, query);
    const { kind: asked = known } = query;
    // Count all kinds (questions.md 12.10), unless the client wants only those that it requested.
    const kinds = query.counts === 'asked' ? known.filter((kind) => asked.includes(kind)) : known;
    const facts = kinds.some(isOfOutages) ? await outageFacts.current() : undefined;
    const { emitters, findings, refused, now } = await reports.read({
      request,
      key: JSON.stringify([scope, kinds, facts?.revision]),
      compute: async (log, { below }) => ({
        ...(await judgeQuality(
          log,
          scope,
          { kinds, provenEnvironments },
          facts && ((now) => judgeOutages(log, { facts, scope, below, now, knownOutages, promotionOrder })),
        )),
        refused: await listRefusedPosts(log),
      }),
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

type Judged = Awaited<ReturnType<typeof judgeQuality>> & {
  readonly refused: Awaited<ReturnType<typeof listRefusedPosts>>;
};
