import { type Act, ScriptedServer, TestClock, testLogger } from '@shiplog/testing';
import { expect, test } from 'vitest';
import type { Json } from '../src/change.ts';
import { Budget } from '../src/domain/budget.ts';
import { ToolConnection } from '../src/tool/tool-connection.ts';
import { aRelease, releases } from './support/third-adapter.ts';

test('§4: a third tool is one file, and its source is asked as the others are', async () => {
  const server = await ScriptedServer.open();
  const clock = new TestClock();
  const budget = new Budget({ percent: 100, quota: 0 });
  const connection = new ToolConnection({ baseUrl: server.url, clock, requestsPerMinute: 300, budget });
  const unknown: string[] = [];
  const source = releases.open({
    ...{ id: 'releases', values: {}, baseUrl: server.url, token: 'a-token', places: ['shop'] },
    times: { watchMaxAgeMs: 1, backfillMaxAgeMs: 1, discoveryMs: 1, backfillDepth: 0 },
    ...{ clock, log: testLogger(undefined), http: (tool) => connection.http(tool) },
    unknownStatus: (status) => unknown.push(status),
  });
  const { signal } = new AbortController();
  const told: string[] = [];
  let memory: Json = source.begin(clock.now());
  const cycle = async () => {
    for await (const step of source.poll(memory, { signal })) {
      told.push(...step.changes.map(({ id, status }) => `${id} ${status}`));
      memory = step.memory;
    }
  };
  const list = [aRelease(), aRelease({ id: 2, app: 'other' }), aRelease({ id: 3, state: 'gone' })];
  const later = [aRelease({ id: 4, state: 'rolling' })];
  const answers = [list, later].map(
    (body): Act =>
      (response) =>
        response.end(JSON.stringify(body)),
  );
  server.script('GET /releases', ...answers);
  await cycle();
  await cycle();
  expect([told, unknown, memory]).toEqual([['release-1 success', 'release-4 in-progress'], ['gone'], 4]);
  expect(server.received.map(({ url }) => url)).toEqual(['/releases?after=0', '/releases?after=3']);
  expect(source.figures(memory).oldestLookMs).toBe(connection.now());
});
