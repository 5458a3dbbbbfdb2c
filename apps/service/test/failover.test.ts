import { answeredStatus } from '@shiplog/client';
import { anEvent, postStored, StreamReader, testService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { openPair } from './support/standby.ts';

const times = { heartbeatMs: 15_000, pollMs: 100, stalledMs: 600_000 };

/** Posts until a post is stored instead of rejected with 503. Returns its id. */
async function storedAtLast(url: string): Promise<string> {
  let id = '';
  await until(async () => {
    id = (await postStored(url, anEvent()).catch(ifUnavailable)).id;
    return id !== '';
  });
  return id;
}

function ifUnavailable(error: unknown): { readonly id: string } {
  if (answeredStatus(error) !== 503) throw error;
  return { id: '' };
}

test('the service uses the primary among several hosts, and after a failover the next primary', async () => {
  const pair = await openPair();
  const service = await testService({ databaseUrl: pair.bothUrl, times });
  const before = await postStored(service.url, anEvent());
  const stream = await StreamReader.open({ url: `${service.url}/api/events/stream` });
  await pair.caughtUp();
  await pair.losePrimary();
  await pair.promote();
  const after = await storedAtLast(service.url);
  await until(async () => stream.ids.includes(after));
  await until(async () => (await fetch(`${service.url}/readyz`)).status === 200);
  for (const id of [before.id, after]) expect((await fetch(`${service.url}/api/deployments/${id}`)).status).toBe(200);
});

test('the loss of events is reported in a log line, in a metric and to readers of the lost events', async () => {
  const pair = await openPair();
  const lines: { level: number; msg: string; from?: string; to?: string }[] = [];
  const log = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const service = await testService({ databaseUrl: pair.bothUrl, times, log });
  const kept = await postStored(service.url, anEvent());
  await pair.caughtUp();
  await pair.part();
  const lost = await postStored(service.url, anEvent());
  await pair.losePrimary();
  await pair.promote();
  await until(async () => (await fetch(`${service.url}/readyz`)).status === 200);
  await until(async () => (await metric(service.url, 'shiplog_log_rewinds_total')) === 1);
  expect(lines.filter(({ msg }) => msg.startsWith('the log went back'))).toMatchObject([
    { level: 50, from: kept.id, to: lost.id },
  ]);
  expect((await fetch(`${service.url}/api/deployments/${lost.id}`)).status).toBe(404);
  const resumed = await resumedAt(service.url, lost.id);
  const after = await postStored(service.url, anEvent());
  expect(after.id > lost.id).toBe(true);
  await resumed.take(1);
  expect(resumed.ids).toEqual([after.id]);
  const other = await testService({ databaseUrl: pair.standbyUrl, times });
  const resumes = [];
  for (const { url } of [service, other]) {
    for (const { id } of [kept, lost, after]) resumes.push((await resumedAt(url, id)).headers['x-stream-resume']);
  }
  expect(resumes).toEqual(['replay', 'rewound', 'replay', 'replay', 'rewound', 'replay']);
});

test("a service warns about a standby that commits don't wait for, and reports it in a metric", async () => {
  const pair = await openPair();
  const lines: string[] = [];
  const service = await testService({
    databaseUrl: pair.primaryUrl,
    log: { write: (line) => void lines.push(JSON.parse(line).msg) },
  });
  const warned = () => lines.filter((line) => line.includes('synchronous_standby_names is empty')).length;
  expect(warned()).toBe(1);
  expect(await metric(service.url, 'shiplog_database_unsafe_settings')).toBeGreaterThan(0);
});

async function resumedAt(url: string, id: string): Promise<StreamReader> {
  return StreamReader.open({ url: `${url}/api/events/stream`, headers: { 'last-event-id': id } });
}

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
}
