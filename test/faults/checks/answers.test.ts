import { answerOf } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { answerFault } from './answers.ts';

const problem = { 'content-type': 'application/problem+json', 'retry-after': '5' };

test.each([
  ['an allowed status is correct', 201, {}, '', undefined],
  ['a complete 503 is correct', 503, problem, '{"status":503}', undefined],
  ['a 503 without Retry-After is a fault', 503, { ...problem, 'retry-after': '' }, '{"status":503}', /no Retry-After/],
  [
    'a 503 without a problem document is a fault',
    503,
    { ...problem, 'content-type': 'text/plain' },
    'gone',
    /no problem/,
  ],
  ['a 503 with another status in its problem is a fault', 503, problem, '{"status":500}', /another status/],
  ['another 5xx', 500, problem, '{"status":500}', /500/],
  ['a status that the call does not allow is a fault', 422, problem, '{"status":422}', /422/],
])('%s', (_, status, headers, body, due) => {
  const fault = answerFault(answerOf({ status, headers, text: body }), [201]);
  if (due) expect(fault).toMatch(due);
  else expect(fault).toBeUndefined();
});
