import { headerNames } from '@shiplog/contract';
import { conditionalAnswer } from '@shiplog/server';
import type { AnalyticsQuestions } from '../answers/analytics.ts';
import type { OutageFactsReader } from '../answers/outage-facts.ts';
import { logMark } from '../db/log-mark.ts';
import { benchmarks } from '../domain/benchmarks.ts';
import type { CoreApi } from './api.ts';
import { requestedScope } from './scope.ts';
import { SlowAnswers, type SlowParts } from './slow-answers.ts';

interface AnalyticsParts extends SlowParts {
  readonly questions: AnalyticsQuestions;
  readonly outageFacts: OutageFactsReader;
}

/** `GET /api/analytics/*` (§4 Analytics, readings 5; scope and periods: questions.md 2 and 3). */
export function addAnalytics(api: CoreApi, parts: AnalyticsParts): void {
  const { queries, reads, questions, outageFacts } = parts;
  const answers = new SlowAnswers('analytics', parts);
  const benchmarksJson = JSON.stringify(benchmarks);
  api.serve('getBenchmarks', async ({ headers }) =>
    conditionalAnswer(headers[headerNames.ifNoneMatch], { content: [benchmarksJson], json: benchmarksJson }),
  );
  for (const name of questions.names) {
    api.serve(name, async ({ query, headers, request }) => {
      const mark = await logMark(queries);
      const scope = await requestedScope(parts, query);
      const facts = name === 'getOutageFigures' ? await outageFacts.current() : undefined;
      const question = questions.of(name, query, { scope, now: mark.now, ...(facts && { facts }) });
      const { key, isStandard } = question;
      return answers.answer({
        ...{ headers, request, mark, key, isCold: true, isLimited: !isStandard },
        compute: async () => {
          const kind = isStandard ? 'standard' : 'long';
          const { state, result } = await reads.folded((log, { below }) => question.compute(log, below), { kind });
          return { state, json: result };
        },
      });
    });
  }
}
