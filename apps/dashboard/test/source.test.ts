import { type Client, createClient } from '@shiplog/client';
import { endpoints } from '@shiplog/contract';
import { clientOf, minute, sharedService, testDatabase, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { isLive, matrix, post, watch } from './support/source.ts';

const empty = sharedService();

test('a snapshot and the stream from its position give each event once while events are being posted', async () => {
  const { url } = await empty();
  await post(url, { version: 'before' });
  const posting = Promise.all(
    Array.from({ length: 200 }, (_, n) => post(url, { environment: `env-${n % 7}`, version: String(n) })),
  );
  const { tab } = watch(url);
  const posted = await posting;
  await tab.until(isLive(tab));
  const last = await post(url, { version: 'after', happened_at: minute(1) });
  await tab.until(() => tab.ids.includes(last));
  expect(new Set(tab.ids).size).toBe(tab.ids.length);
  expect(tab.ids).toEqual(tab.ids.toSorted());
  // The last event is late. Its row, with all events that were gathered with it, follows when the service has answered.
  const due = await matrix(url);
  await expect.poll(() => tab.board).toEqual(due);
  expect(posted.filter((id) => id > (tab.ids[0] ?? '')).every((id) => tab.ids.includes(id))).toBe(true);
});

test('after a late event the board matches the log', async () => {
  const { url } = await empty();
  await post(url, { status: 'in-progress', version: '2', happened_at: minute(10) });
  const { tab } = watch(url);
  await tab.until(isLive(tab));
  await post(url, { status: 'failure', version: '1', happened_at: minute(5) });
  await tab.until(() => tab.board.rows.get('payments-api')?.slots.staging?.prev_failed === true);
  expect(tab.board).toEqual(await matrix(url));
});

test('after events of an upcoming first deployment the board matches the log', async () => {
  const { url } = await empty();
  await post(url, { status: 'queued', happened_at: minute(1) });
  const { tab } = watch(url);
  await tab.until(isLive(tab));
  const waits = () => tab.board.rows.get('payments-api')?.upcoming?.staging?.status;
  expect(waits()).toBe('queued');
  for (const event of [
    { status: 'waiting', happened_at: minute(3) },
    { status: 'pending', happened_at: minute(2) },
    { environment: 'prod', status: 'queued', happened_at: minute(4) },
    { service: 'order-svc', status: 'cancelled', happened_at: minute(4) },
    { status: 'in-progress', happened_at: minute(2) },
    { environment: 'prod', status: 'success', happened_at: minute(5) },
  ] as const) {
    const id = await post(url, event);
    await tab.until(() => tab.ids.includes(id));
    const { board } = tab;
    expect(board).toEqual(await matrix(url));
  }
  expect(tab.board.environments).toEqual(['prod', 'staging']);
});

test.each([
  ['the row of a late event', 'getMatrix'],
  ['the end of the log', 'listDeployments'],
  ['the event that says whether the log was cleared', 'getDeployment'],
] as const)('after a single failed request for %s the board matches the log', async (_, call) => {
  const { url } = await empty();
  await post(url, { status: 'in-progress', version: '2', happened_at: minute(10) });
  const client = createClient({ baseUrl: url });
  const asks = client[call] as (input?: never) => Promise<never>;
  let failing = false;
  let failed = 0;
  const failingClient: Client = {
    ...client,
    [call]: async (input?: never) => {
      if (!failing) return asks(input);
      failing = false;
      failed += 1;
      throw new TypeError('fetch failed');
    },
  };
  const { tab, source } = watch(url, { client: failingClient });
  await tab.until(isLive(tab));
  failing = true;
  const late = await post(url, { status: 'failure', version: '1', happened_at: minute(5) });
  if (call === 'listDeployments') source.wake();
  await tab.until(() => tab.ids.includes(late) && failed > 0);
  const last = await post(url, { service: 'order-svc', version: '9' });
  await tab.until(() => tab.ids.includes(last) && tab.current('order-svc', 'staging') === '9');
  await tab.until(() => tab.board.rows.get('payments-api')?.slots.staging?.prev_failed === true);
  await tab.until(isLive(tab));
  expect(tab.board).toEqual(await matrix(url));
  expect(failed).toBeGreaterThan(0);
});

test('events stored between the snapshot of an empty log and the opening of the stream are not missed', async () => {
  const { url } = await empty();
  const client = createClient({ baseUrl: url });
  let isStored = false;
  const { tab } = watch(url, {
    client: {
      ...client,
      getMatrix: async (input) => {
        const answer = await client.getMatrix(input);
        if (!isStored) await post(url, { version: '1' });
        isStored = true;
        return answer;
      },
    },
    times: { checkMs: 3_600_000, pollMs: 3_600_000 },
  });
  await tab.until(() => tab.current('payments-api', 'staging') === '1');
});

test("after a restart of the service the source loads missed events, which don't count as fresh", async () => {
  const { url: databaseUrl } = await testDatabase();
  const first = await testService({ databaseUrl });
  const { tab } = watch(first.url);
  await tab.until(isLive(tab));
  const seen = await post(first.url, { version: '1' });
  await tab.until(() => tab.ids.includes(seen));
  await first.stop();
  await tab.until(() => tab.links.at(-1) === 'away');
  const other = await testService({ databaseUrl });
  const missed = await post(other.url, { version: '2', happened_at: minute(1) });
  await testService({ databaseUrl, config: { port: Number(new URL(first.url).port) } });
  await tab.until(() => tab.ids.includes(missed));
  await tab.until(isLive(tab));
  const fresh = await post(other.url, { version: '3', happened_at: minute(2) });
  await tab.until(() => tab.ids.includes(fresh));
  expect(tab.ids).toEqual([seen, missed, fresh]);
  expect(tab.freshIds).toEqual([seen, fresh]);
  expect(tab.board).toEqual(await matrix(other.url));
});

test('a cleared log empties the board although no frame reports it', async () => {
  const { url } = await empty();
  await post(url, { version: '1' });
  const { tab } = watch(url);
  await tab.until(isLive(tab));
  expect(tab.board.rows.size).toBe(1);
  await clientOf(url).startReset();
  await tab.until(() => tab.board.rows.size === 0);
  expect(tab.clearings).toBe(1);
  await post(url, { service: 'order-svc', version: '2' });
  await tab.until(() => tab.current('order-svc', 'staging') === '2');
  expect(tab.board).toEqual(await matrix(url));
});

test('after the computer slept the source reconnects, and no event is missed', async () => {
  const { url } = await empty();
  const { tab, source } = watch(url);
  await tab.until(isLive(tab));
  const first = await post(url, { version: '1' });
  await tab.until(() => tab.ids.includes(first));
  source.wake();
  const second = await post(url, { version: '2', happened_at: minute(1) });
  await tab.until(() => tab.ids.includes(second));
  expect(tab.ids).toEqual([first, second]);
});

test('while the stream is down, the board is requested with its ETag', async () => {
  const { url } = await empty();
  const asked: (string | null)[] = [];
  const client = createClient({ baseUrl: url });
  const { tab } = watch(url, {
    client: {
      ...client,
      getMatrix: (input) => {
        asked.push(input?.headers?.['If-None-Match'] ?? null);
        return client.getMatrix(input);
      },
    },
    // This path doesn't exist, so every attempt is refused.
    streamUrl: `${url}${endpoints.getMatrix.path}/nothing`,
    times: { checkMs: 50, pollMs: 50 },
  });
  await tab.until(() => tab.links.at(-1) === 'polling');
  const id = await post(url, { version: '1' });
  await tab.until(() => tab.current('payments-api', 'staging') === '1');
  await tab.until(() => tab.missed.at(-1) === id);
  expect(asked[0]).toBeNull();
  expect(asked[1]).toMatch(/^W\//);
});
