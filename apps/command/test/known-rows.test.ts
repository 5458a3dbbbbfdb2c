import type { Client } from '@shiplog/client';
import type { DeploymentEventIngest } from '@shiplog/contract';
import { anEvent, clientOf, postStored, testDatabase, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { keyOfRow, knownRows } from '../src/transfer/known-rows.ts';

const { signal } = new AbortController();
const rowsOf = (...events: readonly DeploymentEventIngest[]) => events.map((event) => ({ event, reporter: '' }));
const at = (happened_at: string, more: Partial<DeploymentEventIngest> = {}) => anEvent({ happened_at, ...more });

test('one query counts equal log rows from the first to the last, with microsecond precision', async () => {
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl });
  const first = at('2026-05-04T09:12:02.123456Z');
  const last = at('2026-05-04T09:12:03.000001+00:00', { deployment_id: 'other' });
  for (const event of [first, first, last, at('2026-05-04T09:12:02.122Z'), at('2026-05-04T09:12:03.001Z')]) {
    await postStored(url, event);
  }
  const known = await knownRows(clientOf(url), rowsOf(first, last), signal);
  expect(known && [...known]).toEqual([
    [keyOfRow(last), 1],
    [keyOfRow(first), 2],
  ]);
});

test.each([
  ['the log has too many rows in the period', () => Promise.resolve({ body: { items: [], next_cursor: 'more' } })],
  ['the log does not answer', () => Promise.reject(new TypeError('fetch failed'))],
])('the rows are unknown if %s', async (_, listDeployments) => {
  let asked = 0;
  const client = {
    listDeployments: () => {
      asked += 1;
      return listDeployments();
    },
  } as unknown as Client;
  expect(await knownRows(client, rowsOf(anEvent()), signal)).toBeUndefined();
  expect(asked).toBeLessThanOrEqual(8);
});
