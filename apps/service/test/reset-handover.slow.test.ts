import {
  anEvent,
  isWaitedFor,
  openTransaction,
  ProgramProcess,
  postStored,
  type StreamReader,
  testDatabase,
  testKeys,
  testService,
  until,
  waitingFor,
} from '@shiplog/testing';
import { expect, test } from 'vitest';
import { leverDatabase, openEar } from './support/levers.ts';
import { post } from './support/posting.ts';
import {
  controlFrames,
  expectResets,
  openControl,
  putCursor,
  sendAck,
  startReset,
  untilFrame,
} from './support/reset.ts';
import { countCleared } from './support/stored.ts';

/** Reading 7.7 allows 5 s after a step is due; the test allows more for a machine under load. */
const handOverMsMax = 15_000;
const nothingLeft = { events: 0, latest: 0, cursors: 0 };

interface Settings {
  readonly ackTimeoutSeconds?: number;
  readonly expected?: string;
}

function spawnOn(databaseUrl: string, { ackTimeoutSeconds = 0, expected = '' }: Settings = {}): ProgramProcess {
  return ProgramProcess.spawn('service', {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    API_KEY: testKeys.api,
    CONTROL_API_KEY: testKeys.control,
    RESET_ACK_TIMEOUT_SECONDS: String(ackTimeoutSeconds),
    RESET_EXPECTED_COMPONENTS: expected,
  });
}

/** Two instances on a log that is not empty. The second instance takes over. */
async function twoInstances(settings?: Settings) {
  const database = await testDatabase();
  const driver = spawnOn(database.url, settings);
  const heir = spawnOn(database.url, settings);
  const [url, heirUrl] = await Promise.all([driver.ready(), heir.ready()]);
  await postStored(url, anEvent());
  await putCursor(url);
  return { databaseUrl: database.url, driver, url, heir, heirUrl, control: await openControl(heirUrl) };
}

/** Waits for the end of the reset, and then checks its frames, the cleared log and the duration. */
async function finished(control: StreamReader, due: { id: string; at: number; databaseUrl: string }): Promise<void> {
  await untilFrame(control, 'reset-completed');
  const tookMs = performance.now() - due.at;
  expectResets(control, [{ id: due.id, end: 'reset-completed' }]);
  expect(await countCleared(due.databaseUrl)).toEqual(nothingLeft);
  expect(tookMs).toBeLessThan(handOverMsMax);
}

test('the other instance completes a reset after the ack timeout if the first is killed while waiting for acks', async () => {
  const { databaseUrl, driver, url, control } = await twoInstances({ ackTimeoutSeconds: 2, expected: 'one' });
  const id = await startReset(url);
  await driver.kill();
  await untilFrame(control, 'reset-initiated');
  const acceptedAt = Date.parse(controlFrames(control)[0]?.occurred_at ?? '');
  const dueInMs = acceptedAt + 2000 - Date.now();
  await finished(control, { id, at: performance.now() + dueInMs, databaseUrl });
});

test('acks that the killed instance received count for the other instance', async () => {
  const { databaseUrl, driver, url, heirUrl, control } = await twoInstances({
    ackTimeoutSeconds: 3600,
    expected: 'one,two',
  });
  const id = await startReset(url);
  await sendAck(url, { component: 'one', correlationId: id });
  await driver.kill();
  await sendAck(heirUrl, { component: 'two', correlationId: id });
  await finished(control, { id, at: performance.now(), databaseUrl });
});

/** Starts a reset on one instance. Its clearing is blocked at a lock that this transaction holds. */
async function heldReset(lock: string) {
  const { databaseUrl, driver, url, heir, control } = await twoInstances();
  const driving = await openControl(url);
  heir.child.kill('SIGSTOP');
  const gatekeeper = await openTransaction(databaseUrl, 'lock table fetcher_states in share mode');
  const id = await startReset(url);
  await untilFrame(driving, 'reset-started');
  await until(() => isWaitedFor(databaseUrl, gatekeeper));
  const holder = lock === '' ? gatekeeper : await openTransaction(databaseUrl, lock);
  if (holder !== gatekeeper) {
    await gatekeeper.query('commit');
    await until(() => isWaitedFor(databaseUrl, holder));
  }
  // The other instance is running again. It also tries to clear the log and must wait.
  heir.child.kill('SIGCONT');
  await until(() => answers(heir));
  return { id, databaseUrl, driver, control, holder };
}

/** Connections opened before a freeze may be closed, so the first request on each may fail. */
async function answers(instance: ProgramProcess): Promise<boolean> {
  const answer = await fetch(`${await instance.ready()}/readyz`).catch(() => undefined);
  return answer?.status === 200;
}

const frameLock = `select from log_heads where log = 'control' for update`;

test.each([
  ['right after it closed the gate', ''],
  ['during the clearing', frameLock],
])('the other instance completes a reset if the first is killed %s', async (_, lock) => {
  const { id, databaseUrl, driver, control, holder } = await heldReset(lock);
  await driver.kill();
  await holder.query('commit');
  const at = performance.now();
  await finished(control, { id, at, databaseUrl });
});

test('another instance takes over a reset even if the server still runs a statement of the killed instance', async () => {
  const { id, databaseUrl, driver, control, holder } = await heldReset('');
  const waiting = async () => (await waitingFor(databaseUrl, holder)).map(({ pid }) => pid);
  const orphans = await waiting();
  await driver.kill();
  // The dead instance's statement is still waiting, and a statement of the other instance must wait for the same lock.
  await until(async () => (await waiting()).some((pid) => !orphans.includes(pid)));
  await holder.query('commit');
  await finished(control, { id, at: performance.now(), databaseUrl });
});

test('an instance that freezes during the clearing delays a reset only briefly, and continues when it is resumed', async () => {
  const { id, databaseUrl, driver, control, holder } = await heldReset(frameLock);
  driver.child.kill('SIGSTOP');
  await holder.query('commit');
  const at = performance.now();
  await finished(control, { id, at, databaseUrl });
  driver.child.kill('SIGCONT');
  await until(() => answers(driver));
  const url = await driver.ready();
  const { id: stored } = await postStored(url, anEvent());
  expect((await fetch(`${url}/api/deployments/${stored}`)).status).toBe(200);
  expect(controlFrames(control)).toHaveLength(3);
});

test.each([
  ['stopped', (only: ProgramProcess) => only.terminate()],
  ['killed', (only: ProgramProcess) => only.kill()],
])('a reset on a single instance that is %s continues when an instance starts again', async (_, end) => {
  const database = await testDatabase();
  const settings = { ackTimeoutSeconds: 3600, expected: 'one,two' };
  const only = spawnOn(database.url, settings);
  const url = await only.ready();
  await postStored(url, anEvent());
  await putCursor(url);
  const id = await startReset(url);
  await sendAck(url, { component: 'one', correlationId: id });
  await end(only);

  // While draining, the earlier ack counts, and there is time left for other acks.
  const again = spawnOn(database.url, settings);
  const againUrl = await again.ready();
  const fresh = await openControl(againUrl);
  await postStored(againUrl, anEvent());
  const holder = await openTransaction(database.url, 'lock table fetcher_states in share mode');
  await sendAck(againUrl, { component: 'two', correlationId: id });
  await untilFrame(fresh, 'reset-started');
  await end(again);
  await holder.query('commit');

  // While resetting, the gate is closed until this instance clears the log.
  const last = spawnOn(database.url, settings);
  const control = await openControl(await last.ready(), id);
  const at = performance.now();
  await untilFrame(control, 'reset-completed');
  expect(performance.now() - at).toBeLessThan(handOverMsMax);
  expect(controlFrames(control).map(({ type, correlation_id }) => `${type} ${correlation_id}`)).toEqual([
    `reset-started ${id}`,
    `reset-completed ${id}`,
  ]);
  expect(await countCleared(database.url)).toEqual(nothingLeft);
  expect((await post(await last.ready(), anEvent())).status).toBe(201);
});

test('a reset completes by polling on every instance if all notifications are lost', async () => {
  const database = await leverDatabase();
  const config = {
    reset: { ackTimeoutSeconds: 3600, gateMaxTtlSeconds: 60, expectedComponents: ['one', 'two'] },
  };
  const services = await Promise.all([1, 2].map(() => testService({ databaseUrl: database.url, config })));
  const urls = services.map(({ url }) => url);
  const ear = await openEar(database.url);
  await database.loseNotices(true);
  const controls = await Promise.all(urls.map((url) => openControl(url)));
  await postStored(urls[0] ?? '', anEvent());
  const id = await startReset(urls[0] ?? '');
  for (const [n, component] of ['one', 'two'].entries()) {
    await sendAck(urls[n] ?? '', { component, correlationId: id });
  }
  const at = performance.now();
  for (const control of controls) await finished(control, { id, at, databaseUrl: database.url });
  expect(await ear.heard()).toBe(0);
});
