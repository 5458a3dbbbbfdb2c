import { anEvent, testKeys, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { leverDatabase } from './support/levers.ts';

async function post(url: string, happenedAtMs: number): Promise<{ status: number; pointers: string[] }> {
  const answer = await fetch(`${url}/api/deployments`, {
    method: 'POST',
    headers: { 'X-Api-Key': testKeys.api },
    body: JSON.stringify(anEvent({ happened_at: new Date(happenedAtMs).toISOString() })),
  });
  const { errors = [] } = (await answer.json()) as { errors?: { pointer: string }[] };
  return { status: answer.status, pointers: errors.map(({ pointer }) => pointer) };
}

const hourMs = 3_600_000;
const refused = { status: 422, pointers: ['/happened_at'] };
const stored = { status: 201, pointers: [] };

test("an event more than MAX_FUTURE_HOURS ahead of the database's clock gets 422 at /happened_at", async () => {
  const database = await leverDatabase();
  const { url } = await testService({ databaseUrl: database.url, config: { maxFutureHours: 24 } });
  expect(await post(url, Date.now() + 25 * hourMs)).toEqual(refused);
  expect(await post(url, Date.parse('9999-12-31T23:59:59Z'))).toEqual(refused);
  expect(await post(url, Date.now() + 23 * hourMs)).toEqual(stored);
  expect(await post(url, Date.now() - 24 * 400 * hourMs)).toEqual(stored);
  await database.offsetClock(2);
  expect(await post(url, Date.now() + 25 * hourMs)).toEqual(stored);
  expect(await post(url, Date.now() + 27 * hourMs)).toEqual(refused);
});
