import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answers, cuts, ScriptedServer, TestClock, testFolder, testKeys } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { SpoolLock } from '../src/pipeline/spool-lock.ts';
import { type Called, type CallOptions, call, forever, hurriedClock } from './support/call.ts';
import { sharedLog } from './support/service.ts';

const { emptyLog } = sharedLog();
const never = new AbortController().signal;

function post(folder: string, id: string, options: CallOptions): Promise<Called> {
  const event = ['--service', 'api', '--environment', 'prod', '--status', 'success', '--deployment-id', id];
  const timeout = options.clock === hurriedClock ? forever : [];
  return call(['post', ...event, '--spool', folder, ...timeout], options);
}

/** Posts events to a spool while the service is down. */
async function keep(folder: string, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const server = await ScriptedServer.open(cuts);
    const clock = new TestClock();
    clock.advance(1000 * (ids.indexOf(id) + 1));
    const called = post(folder, id, { url: server.url, clock });
    await server.asked(1);
    clock.advance(60_000);
    const { code, err } = await called;
    expect([code, err]).toEqual([0, expect.stringContaining(`are kept in ${folder}; the next call`)]);
  }
}

async function waiting(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.startsWith('lock.')).sort();
}

describe('events posted during an outage', () => {
  test('spooled events are kept without the key, and the next call sends them first, in order, with their times', async () => {
    const [folder, log] = [join(await testFolder(), 'made', 'here'), await emptyLog()];
    await keep(folder, 'd-1', 'd-2');
    const files = await waiting(folder);
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    expect(texts.map((text) => JSON.parse(text).event.deployment_id)).toEqual(['d-1', 'd-2']);
    expect(texts.join()).not.toContain(testKeys.api);
    const { code, out } = await post(folder, 'd-3', { url: log.url });
    const rows = await log.rows();
    expect([code, out]).toEqual([0, `success of api in prod is stored as ${rows[2]?.id}.\n`]);
    expect(rows.map(({ deployment_id }) => deployment_id)).toEqual(['d-1', 'd-2', 'd-3']);
    expect(rows.slice(0, 2).map(({ happened_at }) => happened_at)).toEqual(
      texts.map((text) => JSON.parse(text).event.happened_at),
    );
    expect(await waiting(folder)).toEqual([]);
  });

  test('spooled events are not duplicated if a call was killed after its post, before it deleted the file', async () => {
    const [folder, log] = [await testFolder(), await emptyLog()];
    await keep(folder, 'd-1');
    const [name = ''] = await waiting(folder);
    await copyFile(join(folder, name), join(folder, 'copy'));
    await post(folder, 'd-2', { url: log.url });
    await copyFile(join(folder, 'copy'), join(folder, name));
    await post(folder, 'd-3', { url: log.url });
    expect((await log.rows()).map(({ deployment_id }) => deployment_id)).toEqual(['d-1', 'd-2', 'd-3']);
  });

  test('incomplete files from a killed call are ignored', async () => {
    const [folder, log] = [await testFolder(), await emptyLog()];
    await writeFile(
      join(folder, `.${'0'.repeat(15)}-000001-9b1d7f0f-3a1c-4e55-8c5d-1e3f9a700019.json`),
      '{"event":{"dep',
    );
    expect((await post(folder, 'd-1', { url: log.url })).code).toBe(0);
    expect(await log.rows()).toHaveLength(1);
  });

  test('spooled events are sent once by many concurrent calls', async () => {
    const [folder, log] = [await testFolder(), await emptyLog()];
    await keep(folder, 'd-1', 'd-2', 'd-3');
    const calls = await Promise.all(
      ['d-4', 'd-5', 'd-6', 'd-7'].map((id) => post(folder, id, { url: log.url, clock: hurriedClock })),
    );
    expect(calls.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const ids = (await log.rows()).map(({ deployment_id }) => deployment_id);
    expect(ids.slice(0, 3)).toEqual(['d-1', 'd-2', 'd-3']);
    expect(ids.toSorted()).toEqual(['d-1', 'd-2', 'd-3', 'd-4', 'd-5', 'd-6', 'd-7']);
    expect(await waiting(folder)).toEqual([]);
  });
});

describe('a refused event in a spool', () => {
  const refuses = (status: number) =>
    answers(status, JSON.stringify({ detail: 'It is so.' }), { 'content-type': 'application/problem+json' });
  const nothing = answers(200, JSON.stringify({ items: [], next_cursor: null }));

  test('a spooled event with invalid content is set aside, and the others are sent', async () => {
    const folder = await testFolder();
    await keep(folder, 'd-1');
    const server = await ScriptedServer.open(nothing);
    server.script('POST /api/deployments', refuses(422), answers(201, JSON.stringify({ id: 'x' })));
    const { code, out, err } = await post(folder, 'd-2', { url: server.url });
    expect([code, out]).toEqual([0, 'success of api in prod is stored as x.\n']);
    expect(err).toMatch(/The service refused the request \(422\): It is so\. The event is kept as .*\.json\.refused/);
    expect(await waiting(folder)).toEqual([expect.stringMatching(/\.json\.refused$/)]);
  });

  test('a spooled event that was refused because of a wrong key is sent with the correct key', async () => {
    const folder = await testFolder();
    const server = await ScriptedServer.open(nothing);
    server.script('POST /api/deployments', refuses(401));
    const { code, err } = await post(folder, 'd-1', { url: server.url });
    expect([code, err]).toEqual([
      3,
      expect.stringContaining(
        `Set SHIPLOG_API_KEY to a named key of its access file (a new one takes effect within 5 seconds), or to its API_KEY unless the file has shared_key: off. Unsent events are kept in ${folder}`,
      ),
    ]);
    const log = await emptyLog();
    await post(folder, 'd-2', { url: log.url });
    expect((await log.rows()).map(({ deployment_id }) => deployment_id)).toEqual(['d-1', 'd-2']);
  });

  test('a spooled file that is not an event is set aside', async () => {
    const [folder, log] = [await testFolder(), await emptyLog()];
    const name = `${'0'.repeat(15)}-000001-9b1d7f0f-3a1c-4e55-8c5d-1e3f9a700019.json`;
    await writeFile(join(folder, name), JSON.stringify({ event: { service: 7 }, reporter: 'shiplog' }));
    const { code, err } = await post(folder, 'd-1', { url: log.url });
    expect([code, err]).toEqual([0, `${join(folder, name)}.refused is not a valid event. Inspect and remove it.\n`]);
  });
});

test('a spool folder that cannot be created neither loses nor delays events', async () => {
  // The system reports this folder as missing even while it is created, so recursive mkdir in Node 20 never ends.
  const log = await emptyLog();
  const { code, err } = await post('/proc/nowhere/below', 'd-1', { url: log.url });
  expect([code, err]).toEqual([0, expect.stringMatching(/\(\w+\), so no events are kept/)]);
});

test('a spool folder that cannot be written loses no event', async () => {
  const [file, log] = [join(await testFolder(), 'a file'), await emptyLog()];
  await writeFile(file, '');
  const { code, err } = await post(file, 'd-1', { url: log.url });
  expect([code, err]).toEqual([0, expect.stringContaining('(EEXIST), so no events are kept')]);
  expect(await log.rows()).toHaveLength(1);
});

describe('the lock of a spool', () => {
  test('one process at a time holds the lock, and the next one gets it when it is released', async () => {
    const folder = await testFolder();
    const clock = new TestClock();
    const first = await SpoolLock.acquire(folder, clock, never);
    const second = SpoolLock.acquire(folder, clock, never);
    await clock.asleep(200);
    expect(await first.isHeld()).toBe(true);
    await first.release();
    clock.advance(200);
    expect(await (await second).isHeld()).toBe(true);
    expect(await first.isHeld()).toBe(false);
  });

  test('the lock is taken over from a dead holder after five seconds without a heartbeat', async () => {
    const folder = await testFolder();
    await writeFile(join(folder, 'lock.41'), 'of a call that was killed');
    const clock = new TestClock();
    const taken = SpoolLock.acquire(folder, clock, never);
    for (let look = 0; look < 25; look += 1) await clock.pass(200);
    const lock = await taken;
    expect(await readdir(folder)).toEqual(['lock.42']);
    await lock.release();
  });

  test('an aborted call no longer waits for the lock', async () => {
    const folder = await testFolder();
    const stopping = new AbortController();
    const held = await SpoolLock.acquire(folder, hurriedClock, never);
    const clock = new TestClock();
    const refused = expect(SpoolLock.acquire(folder, clock, stopping.signal)).rejects.toThrow('stopped');
    await clock.asleep(200);
    stopping.abort(new Error('stopped'));
    await refused;
    await held.release();
  });
});
