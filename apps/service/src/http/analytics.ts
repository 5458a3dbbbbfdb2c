import { headerNames } from '@shiplog/contract';
import { conditionalAnswer } from '@shiplog/server';
import type { ServiceAnswers } from '../answers.ts';
import { benchmarks } from '../domain/benchmarks.ts';
import type { CoreApi } from './api.ts';
import { requestedScope } from './scope.ts';
import type { SlowParts } from './slow-answers.ts';

interface AnalyticsParts extends SlowParts {
  readonly answers: Pick<ServiceAnswers, 'cached' | 'questions'>;
}

/** `GET /api/analytics/*` (§4 Analytics, readings 5; scope and periods: questions.md 2 and 3). */
export function addAnalytics(api: CoreApi, { answers, clients, ...sources }: AnalyticsParts): void {
  const { cached, questions } = answers;
  const benchmarksJson = JSON.stringify(benchmarks);
  api.serve('getBenchmarks', async ({ headers }) =>
    conditionalAnswer(headers[headerNames.ifNoneMatch], { content: [benchmarksJson], json: benchmarksJson }),
  );
  for (const name of questions.names) {
    api.serve(name, async ({ query, headers, request }) => {
      const question = questions.of(name, query, await requestedScope(sources, query));
      const admit = <Result>(compute: () => Promise<Result>) =>
        clients.run({ request, key: question.text, isCold: true }, compute);
      return cached.answer(question, headers[headerNames.ifNoneMatch], question.isStandard ? undefined : admit);
    });
  }
}
