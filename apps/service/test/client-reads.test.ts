import { headerNames } from '@shiplog/contract';
import { anEvent, openTransaction, postStored, testDatabase, testService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import type { Line } from './support/reading.ts';

/** A service that trusts forwarded client addresses in requests from this machine. */
async function serviceFor(readsPerClient: number) {
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({
    databaseUrl,
    config: { readsPerClient, trustedProxies: ['127.0.0.0/8'] },
    times: { readWaitMs: 1 },
  });
  await postStored(url, anEvent({ service: 'billing', environment: 'prod', status: 'success' }));
  const ask = (client: string, path: string) => fetch(`${url}${path}`, { headers: { 'x-forwarded-for': client } });
  return { url, databaseUrl, ask };
}

/** Blocks every read of the latest rows. Past matrices, comparisons and lists of names begin with such a read. */
const holdPlaces = (url: string) => openTransaction(url, 'lock table latest_deployments in access exclusive mode');
const diff = (index: number) => `/api/environments/diff?from=staging&to=prod&services=${index}`;
const leadTimes = (index: number) => `/api/analytics/evidence/lead_time?window=7d&limit=${index}`;

async function refusedOf(answers: readonly Promise<Response>[]): Promise<Response[]> {
  return (await Promise.all(answers)).filter(({ status }) => status === 429);
}

test('a client may have a limited number of slow reads in progress, and a 429 says when to retry', async () => {
  const { databaseUrl, ask } = await serviceFor(2);
  const holder = await holdPlaces(databaseUrl);
  const answers = [1, 2, 3].map((index) => ask('192.0.2.1', diff(index)));
  const refused = await Promise.race(answers);
  expect(refused.status).toBe(429);
  expect(refused.headers.get(headerNames.retryAfter)).toMatch(/^[1-9]\d*$/);
  expect(await refused.json()).toMatchObject({ type: '/problems/too-many-requests', status: 429 });
  // Other clients and quick reads are not affected.
  const other = ask('192.0.2.2', diff(4));
  expect((await ask('192.0.2.1', '/api/deployments')).status).toBe(200);
  await holder.query('rollback');
  expect(await refusedOf([...answers, other])).toHaveLength(1);
  expect((await ask('192.0.2.1', diff(5))).status).toBe(200);
});

test('at most two computations of one client run at the same time', async () => {
  const { databaseUrl, ask } = await serviceFor(8);
  const holder = await holdPlaces(databaseUrl);
  const answers = [1, 2, 3, 4].map((index) => ask('192.0.2.1', leadTimes(index)));
  expect((await Promise.race(answers)).status).toBe(429);
  const slow = ask('192.0.2.1', diff(1));
  await holder.query('rollback');
  expect(await refusedOf(answers)).toHaveLength(2);
  expect((await slow).status).toBe(200);
});

test('the same query from several tabs counts once, and all addresses of an IPv6 network count as one client', async () => {
  const { databaseUrl, ask } = await serviceFor(1);
  const holder = await holdPlaces(databaseUrl);
  const tabs = [ask('2001:db8::1', diff(1)), ask('2001:db8::2', diff(1)), ask('2001:db8::3', diff(1))];
  expect((await ask('2001:db8::4', diff(2))).status).toBe(429);
  const elsewhere = ask('2001:db8:0:1::4', diff(2));
  await holder.query('rollback');
  expect(await refusedOf([...tabs, elsewhere])).toEqual([]);
});

test('the board and the standard windows are never rejected', async () => {
  const { databaseUrl, ask } = await serviceFor(1);
  const holder = await holdPlaces(databaseUrl);
  const held = ask('192.0.2.1', diff(1));
  await until(async () => (await ask('192.0.2.1', diff(2))).status === 429);
  const windows = ['7d', '14d', '30d'].flatMap((window) =>
    ['frequency', 'change-failure-rate', 'status-distribution', 'heatmap'].map((name) =>
      ask('192.0.2.1', `/api/analytics/${name}?window=${window}`),
    ),
  );
  expect((await Promise.all(windows)).map(({ status }) => status)).toEqual(windows.map(() => 200));
  const board = ask('192.0.2.1', '/api/matrix');
  await holder.query('rollback');
  expect([(await board).status, (await held).status]).toEqual([200, 200]);
});

test('a client may have any number of reads in progress if there is no limit', async () => {
  const { url, databaseUrl, ask } = await serviceFor(0);
  const holder = await holdPlaces(databaseUrl);
  const answers = Array.from({ length: 12 }, (_, index) => ask('192.0.2.1', diff(index)));
  await until(async () => (await fetch(`${url}/readyz`)).status === 200);
  await holder.query('rollback');
  expect(await refusedOf(answers)).toEqual([]);
});

test('an untrusted proxy is reported once, because its clients count as one client', async () => {
  const { url: databaseUrl } = await testDatabase();
  const lines: Line[] = [];
  const config = { readsPerClient: 1, trustedProxies: ['192.0.2.7'] };
  const log = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const { url } = await testService({ databaseUrl, config, times: { readWaitMs: 1 }, log });
  const ask = (client: string | undefined, path: string) =>
    fetch(`${url}${path}`, { headers: client === undefined ? {} : { 'x-forwarded-for': client } });
  const trust = async (client?: string) => (await ask(client, '/api/version')).headers.get(headerNames.proxyTrust);
  expect([await trust(), await trust('192.0.2.1')]).toEqual(['none', 'untrusted']);
  const holder = await holdPlaces(databaseUrl);
  const held = ask('192.0.2.1', diff(1));
  expect((await ask('192.0.2.2', diff(2))).status).toBe(429);
  await holder.query('rollback');
  expect((await held).status).toBe(200);
  const told = lines.filter(({ msg }) => msg.includes('TRUSTED_PROXIES'));
  expect(told).toMatchObject([{ level: 40, proxy: '127.0.0.1' }]);
});

test('a proxy in front of a trusted proxy is also checked', async () => {
  const { url } = await serviceFor(1);
  const trust = async (forwarded: string) =>
    (await fetch(`${url}/api/version`, { headers: { 'x-forwarded-for': forwarded } })).headers.get(
      headerNames.proxyTrust,
    );
  expect(await trust('192.0.2.1')).toBe('trusted');
  expect(await trust('192.0.2.1, 127.0.0.2')).toBe('trusted');
  expect(await trust('192.0.2.1, 192.0.2.9')).toBe('untrusted');
});
