import { anEvent, NetworkProxy, postStored, runSql, StreamReader, testService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { isNotPrimary } from '../src/db/errors.ts';
import { post } from './support/posting.ts';
import { openPair, type Pair } from './support/standby.ts';

const times = { heartbeatMs: 15_000, pollMs: 100, stalledMs: 600_000 };

const statusOf = async (url: string) => (await fetch(url)).status;

/** A new primary and its predecessor. The predecessor doesn't know that it was replaced, and still accepts posts. */
async function partAndPromote(pair: Pair): Promise<void> {
  await pair.caughtUp();
  await pair.part();
  await pair.promote();
}

async function has(url: string, id: string): Promise<boolean> {
  return (await runSql(url, 'select from deployments where id = $1', [id])).length > 0;
}

/** Statements that instances send, and words that identify them. */
const steps = {
  look: 'pg_walfile_name',
  cut: 'pg_terminate_backend',
  use: 'idle_in_transaction_session_timeout',
} as const;

/** Routes to both servers of a pair, and a URL with both. The test can cut the routes. */
async function openWays(pair: Pair) {
  const asked: string[] = [];
  const tap = (server: string) => () => ({
    asked: (piece: Buffer) => {
      for (const [step, words] of Object.entries(steps)) if (piece.includes(words)) asked.push(`${server}: ${step}`);
    },
  });
  const old = await NetworkProxy.open(pair.primaryUrl, tap('old'));
  const later = await NetworkProxy.open(pair.standbyUrl, tap('later'));
  const [first, second] = [new URL(old.url), new URL(later.url)];
  const url = old.url.replace(first.host, `${first.host},${second.host}`);
  /** Resolves when the old primary has responded to another check. */
  const lookedAgain = async () => {
    const looks = () => asked.filter((step) => step === 'old: look').length;
    const before = looks();
    await until(async () => looks() > before + 2);
  };
  return { old, later, url, asked, lookedAgain };
}

test('an old primary is abandoned immediately, even if none of its connections was cut', async () => {
  const pair = await openPair();
  const service = await testService({ databaseUrl: pair.bothUrl, times });
  const stream = await StreamReader.open({ url: `${service.url}/api/events/stream` });
  const before = await postStored(service.url, anEvent());
  await partAndPromote(pair);
  let id: string | undefined;
  await until(async () => {
    id = (await post(service.url, anEvent())).event?.id;
    return id !== undefined && (await has(pair.standbyUrl, id));
  });
  expect(await statusOf(`${service.url}/api/deployments/${before.id}`)).toBe(200);
  await until(async () => stream.ids.at(-1) === id);
  await until(async () => (await statusOf(`${service.url}/readyz`)) === 200);
});

test('no instance uses or starts on the earlier timeline after any instance has seen the later one', async () => {
  const pair = await openPair();
  const seeing = await testService({ databaseUrl: pair.bothUrl, times });
  const other = await testService({ databaseUrl: pair.primaryUrl, times });
  const { id: first } = await postStored(seeing.url, anEvent());
  const stream = await StreamReader.open({ url: `${other.url}/api/events/stream` });
  await partAndPromote(pair);
  const answers = new Set<number>();
  await until(async () => {
    const { event } = await post(seeing.url, anEvent());
    if (event) answers.add(await statusOf(`${other.url}/api/deployments/${event.id}`));
    return event !== undefined && (await has(pair.standbyUrl, event.id));
  });
  expect([...answers].filter((status) => ![200, 503].includes(status))).toEqual([]);
  const rows = () => runSql(pair.primaryUrl, 'select from deployments');
  const stored = (await rows()).length;
  const sent = stream.ids.length;
  for (const path of [`/api/deployments/${first}`, '/api/matrix', '/api/events/stream', '/readyz']) {
    expect(await statusOf(`${other.url}${path}`), path).toBe(503);
  }
  expect((await post(other.url, anEvent())).status).toBe(503);
  expect((await rows()).length).toBe(stored);
  expect(stream.ids.length).toBe(sent);
  await expect(testService({ databaseUrl: pair.primaryUrl })).rejects.toThrow(/was replaced as the primary/);
});

test('an instance does not return to an earlier timeline while the later one is unreachable', async () => {
  const pair = await openPair();
  const { later, url, asked, lookedAgain } = await openWays(pair);
  const lines: string[] = [];
  const log = { write: (line: string) => void lines.push(JSON.parse(line).msg) };
  const service = await testService({ databaseUrl: url, times, log });
  await postStored(service.url, anEvent());
  await partAndPromote(pair);
  await until(async () => lines.some((line) => line.startsWith('another server of DATABASE_URL became the primary')));
  expect(lines.some((line) => line.includes('accepts connections as a primary although'))).toBe(true);
  await until(async () => asked.includes('later: use'));
  expect(asked.indexOf('old: cut')).toBeGreaterThan(0);
  expect(asked.indexOf('later: use')).toBeGreaterThan(asked.indexOf('old: cut'));
  later.way = 'refused';
  const rows = () => runSql(pair.primaryUrl, 'select from deployments');
  const stored = (await rows()).length;
  await lookedAgain();
  expect((await post(service.url, anEvent())).status).toBe(503);
  expect(await statusOf(`${service.url}/api/matrix`)).toBe(503);
  expect(await statusOf(`${service.url}/readyz`)).toBe(503);
  expect((await rows()).length).toBe(stored);
  later.way = 'open';
  await until(async () => (await statusOf(`${service.url}/readyz`)) === 200);
  const { id } = await postStored(service.url, anEvent());
  expect(await has(pair.standbyUrl, id)).toBe(true);
});

test('the new primary handles requests that wait for a frozen old primary', async () => {
  const pair = await openPair();
  const { old, url } = await openWays(pair);
  const causes: string[] = [];
  const log = { write: (line: string) => void causes.push(JSON.parse(line).err?.message ?? '') };
  const service = await testService({ databaseUrl: url, times, log });
  await postStored(service.url, anEvent());
  await pair.caughtUp();
  const begun = old.holdAfter('recursive reporters');
  const question = statusOf(`${service.url}/api/quality`);
  await begun;
  old.way = 'silent';
  await pair.part();
  await pair.promote();
  expect(await question).toBe(503);
  expect(causes).toContain(isNotPrimary);
  await until(async () => (await post(service.url, anEvent())).status === 201);
});
