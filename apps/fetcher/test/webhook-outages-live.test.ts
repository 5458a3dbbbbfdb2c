import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@shiplog/client';
import type { RunningProgram } from '@shiplog/component';
import type { OutageRow } from '@shiplog/contract';
import {
  answers,
  ScriptedServer,
  sharedService,
  TestClock,
  testFolder,
  testKeys,
  testLogger,
  until,
} from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { startFetcher } from '../src/fetcher.ts';

const service = sharedService();
const secret = 'secret-of-webhooks-1';

/** A fetcher that accepts alerts and posts them to a service. */
async function fetcherOf(serviceUrl: string) {
  const configFile = join(await testFolder(), 'fetcher.yaml');
  const hook = `{ name: alerts, auth: { type: token, header: X-Token, secret_env: TOKEN }, format: alertmanager, when: { "/labels/severity": critical } }`;
  writeFileSync(configFile, `version: 1\nenvironments: { production: prod }\nwebhooks:\n  - ${hook}\n`);
  const config = readConfig({
    ...{ PORT: '0', DASHBOARD_API_BASE_URL: serviceUrl, FETCHER_CONFIG: configFile, TOKEN: secret },
    ...{ API_KEY: testKeys.api, CONTROL_API_KEY: testKeys.control },
  });
  const clock = new TestClock();
  let fetcher: RunningProgram | undefined;
  const start = async () => {
    fetcher = await startFetcher({ config, logger: testLogger(undefined), clock });
  };
  const stop = async () => {
    await fetcher?.stop();
    fetcher = undefined;
  };
  onTestFinished(stop);
  await start();
  const send = async (...alerts: object[]) => {
    const headers = { 'content-type': 'application/json', 'x-token': secret };
    const body = JSON.stringify({ alerts, sent: Math.random() });
    return (await fetch(`${fetcher?.url}/webhooks/alerts`, { method: 'POST', headers, body })).status;
  };
  return { clock, send, restart: () => stop().then(start) };
}

const startsAt = '2026-05-04T09:30:00Z';
const alert = (status: string, endsAt = '0001-01-01T00:00:00Z', from = startsAt) => ({
  ...{ status, fingerprint: 'f1', startsAt: from, endsAt },
  labels: { severity: 'critical', service: 'payments-api', environment: 'Production' },
});

async function rowsAt(url: string): Promise<OutageRow[]> {
  const params = { source: 'alerts', outage_id: `f1-${startsAt}` };
  return (await createClient({ baseUrl: url }).getOutage({ params })).body.rows;
}

const told = (rows: readonly OutageRow[]) => rows.map(({ state, happened_at: at }) => `${state} ${at.slice(11, 16)}`);

test('an alert sent fifty times becomes one row, even after a restart, and each later state becomes another', async () => {
  const { url } = await service();
  const { send, restart } = await fetcherOf(url);
  const all = await Promise.all(Array.from({ length: 50 }, () => send(alert('firing'))));
  expect(new Set(all)).toEqual(new Set([202]));
  const [row, ...others] = await rowsAt(url);
  expect(others).toEqual([]);
  expect(row).toMatchObject({ services: ['payments-api'], environments: ['prod'], state: 'opened' });
  await restart();
  await send(alert('firing'));
  await send(alert('resolved', '2026-05-04T10:00:00Z'), alert('firing'));
  await send(alert('resolved', '2026-05-04T10:00:00Z'));
  expect(told(await rowsAt(url))).toEqual(['opened 09:30', 'resolved 10:00']);
});

test('a resolution may arrive before its opening', async () => {
  const { url } = await service();
  const { send } = await fetcherOf(url);
  await send(alert('resolved', '2026-05-04T10:00:00Z'));
  await send(alert('firing'));
  expect(told(await rowsAt(url))).toEqual(['opened 09:30', 'resolved 10:00']);
});

const [readRoute, postRoute] = [`GET /api/outages/alerts/f1-${encodeURIComponent(startsAt)}`, 'POST /api/outages'];

test('after a post with an unknown outcome, the log is read again', async () => {
  const server = await ScriptedServer.open(answers(404));
  server.script(postRoute, answers(500), answers(201, JSON.stringify({})));
  const stored = { rows: [{ state: 'opened', happened_at: startsAt }] };
  server.script(readRoute, answers(404), answers(200, JSON.stringify(stored)));
  const { clock, send } = await fetcherOf(server.url);
  const sending = send(alert('firing'));
  await until(async () => clock.sleeping.includes(5000));
  clock.advance(5000);
  expect(await sending).toBe(202);
  expect([server.of(readRoute).length, server.of(postRoute).length]).toEqual([2, 1]);
});

test.each([401, 403, 503])('while the service returns %d, the sender is asked to retry', async (status) => {
  const server = await ScriptedServer.open(answers(404));
  server.script(postRoute, answers(status));
  server.script(readRoute, answers(404));
  const { clock, send } = await fetcherOf(server.url);
  const sending = send(alert('firing'));
  if (status === 503) {
    await until(async () => clock.sleeping.includes(5000));
    clock.advance(8000);
  }
  expect(await sending).toBe(503);
});

test('a row that the service refuses is skipped and reported once', async () => {
  const server = await ScriptedServer.open(answers(404));
  server.script(postRoute, answers(422));
  server.script(readRoute, answers(404));
  const { send } = await fetcherOf(server.url);
  expect([await send(alert('firing')), await send(alert('firing'))]).toEqual([202, 202]);
  const reports = () => server.received.filter(({ body }) => String(body).includes('rejects outages'));
  await until(async () => reports().length === 1);
});
