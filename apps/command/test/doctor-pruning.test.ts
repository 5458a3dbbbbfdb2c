import { systemClock } from '@shiplog/client';
import {
  anEvent,
  answers,
  clientOf,
  postStored,
  ScriptedServer,
  testDatabase,
  testKeys,
  testService,
  until,
} from '@shiplog/testing';
import { expect, test } from 'vitest';
import { checkPruning } from '../src/doctor/check-pruning.ts';

async function found(url: string): Promise<string[]> {
  const { signal } = new AbortController();
  const installation = { url, isLocal: true, client: clientOf(url), keys: testKeys, clock: systemClock, signal };
  return (await checkPruning(installation)).map(({ level, text }) => `${level}: ${text}`);
}

test('if the service refuses to prune, doctor reports a fault with the number to confirm', async () => {
  const { url: databaseUrl } = await testDatabase();
  const first = await testService({ databaseUrl });
  expect(await found(first.url)).toEqual(['ok: Pruning works.']);
  await Promise.all(
    Array.from({ length: 21 }, () => postStored(first.url, anEvent({ happened_at: '2001-01-01T00:00:00Z' }))),
  );
  const { url } = await testService({ databaseUrl, times: { firstMs: 0 } });
  await until(async () => (await found(url))[0]?.startsWith('fault') === true);
  expect(await found(url)).toEqual([
    expect.stringMatching(/^fault: The service refuses to prune 21 events\. .*PRUNE_CONFIRM=21\.$/),
  ]);
});

test.each([
  [404, [expect.stringMatching(/^note: Metrics are not available at this address/)]],
  [401, []],
  [403, []],
])('doctor prints a note if a proxy hides the metrics (%d)', async (status, notes) => {
  const server = await ScriptedServer.open(answers(status, 'no'));
  expect(await found(server.url)).toEqual(notes);
});
