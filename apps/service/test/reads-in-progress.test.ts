import { anEvent, countWaiting, openTransaction, postStored, testDatabase, testService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';

async function service() {
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl });
  await postStored(url, anEvent({ service: 'billing', environment: 'prod', status: 'success' }));
  const ask = async (path: string) => {
    const answer = await fetch(`${url}${path}`);
    const body = (await answer.json()) as { readonly counts: object };
    return { status: answer.status, body };
  };
  return { url, databaseUrl, ask };
}

/** Blocks every read of the latest rows. Boards, comparisons and lists of names begin with such a read. */
const holdPlaces = (url: string) => openTransaction(url, 'lock table latest_deployments in access exclusive mode');
const count = <Made>(length: number, make: (index: number) => Made) =>
  Array.from({ length }, (_, index) => make(index));
const statuses = async (answers: readonly Promise<{ readonly status: number }>[]) => [
  ...new Set((await Promise.all(answers)).map(({ status }) => status)),
];

test('reads of the past get half of the read connections, and all slow reads together get all but one', async () => {
  const { databaseUrl, ask } = await service();
  const holder = await holdPlaces(databaseUrl);
  const at = '2026-03-01T00:00:00Z';
  const past = count(20, (index) => ask(`/api/environments/diff?from=dev&to=prod&at=${at}&services=${index}`));
  await until(async () => (await countWaiting(databaseUrl)) === 4);
  const present = count(20, (index) => ask(`/api/environments/diff?from=dev&to=prod&services=${index}`));
  await until(async () => (await countWaiting(databaseUrl)) === 7);
  expect((await ask('/api/deployments')).status).toBe(200);
  expect(await countWaiting(databaseUrl)).toBe(7);
  await holder.query('rollback');
  await Promise.all([...past, ...present]);
});

test('a standard window is computed while all other computations are blocked', async () => {
  const { databaseUrl, ask } = await service();
  const holder = await holdPlaces(databaseUrl);
  const questions = count(6, (index) => ask(`/api/analytics/evidence/lead_time?window=7d&limit=${index + 1}`));
  await until(async () => (await countWaiting(databaseUrl)) === 2);
  expect((await ask('/api/analytics/frequency?window=30d')).status).toBe(200);
  await holder.query('rollback');
  await Promise.all(questions);
});

test('equal requests in progress share one computation', async () => {
  const { databaseUrl, ask } = await service();
  const holder = await holdPlaces(databaseUrl);
  const lead = count(6, () => ask('/api/analytics/evidence/lead_time?window=7d'));
  await until(async () => (await countWaiting(databaseUrl)) === 1);
  const judged = count(6, () => ask('/api/quality'));
  await until(async () => (await countWaiting(databaseUrl)) === 2);
  const further = [30, 14].map((days) => ask(`/api/analytics/evidence/lead_time?window=${days}d`));
  expect((await ask('/api/deployments')).status).toBe(200);
  // The last request needs one of the two connections for computations.
  await until(async () => (await countWaiting(databaseUrl)) === 3);
  expect((await ask('/api/deployments')).status).toBe(200);
  expect(await countWaiting(databaseUrl)).toBe(3);
  await holder.query('rollback');
  await Promise.all(further);
  expect(await statuses([...lead, ...judged])).toEqual([200]);
});

test('only the requested kinds of findings are searched if only these are counted', async () => {
  const { databaseUrl, ask } = await service();
  const holder = await holdPlaces(databaseUrl);
  const stuck = await ask('/api/quality?kind=stuck&kind=silent&counts=asked');
  expect(stuck).toMatchObject({ status: 200, body: { findings: [], emitters: [{ reporter: null }] } });
  expect(stuck.body.counts).toEqual({ stuck: 0, silent: 0 });
  const alike = ask('/api/quality?kind=look-alike&counts=asked');
  const all = ask('/api/quality?kind=stuck');
  await until(async () => (await countWaiting(databaseUrl)) === 2);
  await holder.query('rollback');
  expect((await alike).body.counts).toEqual({ 'look-alike': 0 });
  expect(Object.keys((await all).body.counts)).toHaveLength(8);
});

test('readiness and metrics do not wait for reads, even if every connection for reads is in use', async () => {
  const { url, databaseUrl, ask } = await service();
  const holder = await holdPlaces(databaseUrl);
  const boards = count(30, (index) => ask(`/api/matrix?service=${index}`));
  await until(async () => (await countWaiting(databaseUrl)) === 8);
  expect((await ask('/readyz')).status).toBe(200);
  await until(async () => /^shiplog_slots 1$/m.test(await (await fetch(`${url}/metrics`)).text()));
  expect(await countWaiting(databaseUrl)).toBe(8);
  await holder.query('rollback');
  await Promise.all(boards);
});
