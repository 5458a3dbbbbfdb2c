import pg from 'pg';
import { expect, test } from 'vitest';
import { databaseError, FoldsBehind } from '../src/db/errors.ts';
import { NoPermit } from '../src/db/semaphore.ts';
import { transientProblem } from '../src/http/transient-problem.ts';

function sent(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('of the server', 0, 'error'), { code });
}

test.each([
  ['a statement that took too long', sent('57014'), /took too long for this request. Try again later, or request less/],
  ['a server that does not respond', new Error('Query read timeout'), /is not responding. Try again later/],
  ['a server that shuts down', sent('57P01'), /Can't reach the database. Try again later/],
  ['a full disk', sent('53100'), /has no disk space left. Free some/],
  ['a refused connection', new Error('connect ECONNREFUSED'), /Can't reach the database. Try again later/],
])('%s returns 503 with a specific message', (_, error, said) => {
  const problem = transientProblem(databaseError(error));
  expect(problem?.status).toBe(503);
  expect(problem?.message).toMatch(said);
});

test('an answer that is being prepared returns 503 with the progress', () => {
  const problem = transientProblem(new FoldsBehind({ events: 1_200_000, total: 3_400_000 }));
  expect(problem?.status).toBe(503);
  expect(problem?.message).toBe(
    'Analytics and releases are being prepared: 1,200,000 of about 3,400,000 events are in. Try again in a few minutes.',
  );
});

test('a read that gets no permit returns 503 with the reason', () => {
  expect(transientProblem(new NoPermit('no place'))?.message).toMatch(/^Too many queries are in progress. Try again/);
});

test.each([
  ['a statement that the server rejects', sent('42601')],
  ['a bug in the service', new TypeError('of ours')],
])('%s is not transient', (_, error) => {
  expect(transientProblem(databaseError(error))).toBeUndefined();
});
