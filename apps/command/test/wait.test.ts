import type { DeploymentEventIngest } from '@shiplog/contract';
import {
  anEvent,
  answers,
  cuts,
  hangs,
  minute,
  postStored,
  ScriptedServer,
  TestClock,
  Watchers,
} from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { call } from './support/call.ts';
import { sharedLog, watched } from './support/service.ts';

const { emptyLog, meddledLog } = sharedLog();

const slot = { service: 'api', environment: 'prod' };
const wait = ['wait', '--service', 'api', '--environment', 'prod'];
const version = ['--version', '1.4.2'];

function arrival(fields: Partial<DeploymentEventIngest> = {}): DeploymentEventIngest {
  return anEvent({ ...slot, version: '1.4.2', happened_at: minute(5), ...fields });
}

describe('waiting for a release', () => {
  test.each([
    ['success', 0],
    ['failure', 1],
    ['cancelled', 1],
    ['rejected', 1],
  ] as const)('a release that has already ended as %s makes wait exit with %i', async (status, wanted) => {
    const log = await emptyLog();
    await postStored(log.url, arrival({ status: 'in-progress', happened_at: minute(1) }));
    await postStored(log.url, arrival({ status }));
    await postStored(
      log.url,
      arrival({ version: '9', status: wanted === 0 ? 'failure' : 'success', happened_at: minute(9) }),
    );
    const { code, out } = await call([...wait, ...version], { url: log.url });
    expect([code, out]).toEqual([wanted, `api 1.4.2: ${status} in prod at ${minute(5)}.\n`]);
  });

  test.each([
    ['before the wait', true],
    ['during the wait', false],
  ])(
    'a release replaced by another one %s makes wait exit with 1 and print the name of the other',
    async (_, isBefore) => {
      const log = await emptyLog();
      const { url, opened } = await watched(log.url);
      const replace = async () => {
        await postStored(log.url, arrival({ version: '1.4.3', happened_at: minute(7) }));
        await postStored(log.url, arrival());
      };
      if (isBefore) await replace();
      const called = call([...wait, ...version], { url });
      if (!isBefore) {
        await opened;
        await replace();
      }
      const { code, out } = await called;
      expect([code, out]).toEqual([1, `api 1.4.2: replaced by 1.4.3 in prod at ${minute(7)}.\n`]);
    },
  );

  test('a release deployed again after another one is waited for', async () => {
    const log = await emptyLog();
    const { url, opened } = await watched(log.url);
    await postStored(log.url, arrival());
    await postStored(log.url, arrival({ version: '1.4.3', happened_at: minute(7) }));
    await postStored(log.url, arrival({ status: 'in-progress', happened_at: minute(8) }));
    const called = call([...wait, ...version], { url });
    await opened;
    await postStored(log.url, arrival({ happened_at: minute(9) }));
    expect(await called).toMatchObject({ code: 0, out: `api 1.4.2: success in prod at ${minute(9)}.\n` });
  });

  test('a release can also be given by its commit, and --json prints the response of the API', async () => {
    const log = await emptyLog();
    const stored = await postStored(log.url, arrival({ sha: 'abc' }));
    const { code, out } = await call([...wait, '--sha', 'abc', '--json'], { url: log.url });
    expect([code, JSON.parse(out)]).toEqual([0, stored]);
  });

  test('a release in progress is waited for with the stream', async () => {
    const log = await emptyLog();
    const { url, opened } = await watched(log.url);
    await postStored(log.url, arrival({ status: 'in-progress', happened_at: minute(1) }));
    const called = call([...wait, ...version], { url });
    await opened;
    // Events of other releases, and an earlier end of this release that arrives late, do not end the wait.
    await postStored(log.url, arrival({ environment: 'staging' }));
    await postStored(log.url, arrival({ version: '1.4.1' }));
    await postStored(log.url, arrival({ status: 'failure', happened_at: minute(0) }));
    await postStored(log.url, arrival());
    const { code, err } = await called;
    expect([code, err]).toEqual([0, `It has been in-progress since ${minute(1)}.\n`]);
  });

  test.each(['an empty log', 'a log with rows'])(
    'a release that arrives between the snapshot of %s and its stream is not missed',
    async (kind) => {
      let isPosted = false;
      const log = await meddledLog({
        answered: async ({ path }) => {
          if (!path.endsWith('/stream') && !isPosted) {
            isPosted = true;
            await postStored(log.directUrl, arrival());
          }
          return 'whole' as const;
        },
      });
      if (kind === 'a log with rows') await postStored(log.directUrl, arrival({ version: '1' }));
      expect((await call([...wait, ...version], { url: log.url })).code).toBe(0);
    },
  );

  test('a release that arrives while the stream is down is not missed', async () => {
    const watchers = new Watchers();
    let streams = 0;
    const log = await meddledLog({
      asks: ({ path }) => {
        if (!path.endsWith('/stream') || streams++ > 0) return true;
        watchers.changed();
        return false;
      },
    });
    await postStored(log.directUrl, arrival({ status: 'queued', happened_at: minute(1) }));
    const called = call([...wait, ...version], { url: log.url });
    await watchers.until(() => streams > 0);
    await postStored(log.directUrl, arrival());
    const { code, err } = await called;
    expect([code, err]).toEqual([0, expect.stringContaining('The stream is unavailable')]);
  });

  test('a release is looked up again if the log was cleared while the stream was open', async () => {
    const server = await ScriptedServer.open();
    const row = { ...arrival(), id: '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55' };
    const page = (...items: object[]) => answers(200, JSON.stringify({ items, next_cursor: null }));
    server.script('GET /api/deployments', page(), page(row));
    server.script('GET /api/events/stream', (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-stream-resume': 'truncated' }).flushHeaders();
    });
    expect((await call([...wait, ...version], { url: server.url })).code).toBe(0);
  });

  test('a release is found even if its latest row is on the second page of the slot', async () => {
    const server = await ScriptedServer.open();
    const page = (next_cursor: string | null, ...items: object[]) =>
      answers(200, JSON.stringify({ items, next_cursor }));
    server.script('GET /api/deployments', page('c', arrival({ version: '2' })), page(null, { ...arrival(), id: 'x' }));
    expect((await call([...wait, ...version], { url: server.url })).code).toBe(0);
    const cursors = server.received.map(({ url }) => new URL(url, server.url).searchParams.get('cursor'));
    expect(cursors.slice(0, 2)).toEqual([null, 'c']);
  });
});

describe('the timeout of wait', () => {
  test('at the timeout wait exits with 1 and prints the current status', async () => {
    const log = await emptyLog();
    await postStored(log.url, arrival({ status: 'waiting' }));
    for (const [release, state] of [
      [version, `it has been waiting since ${minute(5)}`],
      [['--version', '9'], 'the log has no event for it'],
    ] as const) {
      const clock = new TestClock();
      const { url, opened } = await watched(log.url);
      const called = call([...wait, ...release, '--timeout', '20m'], { url, clock });
      await opened;
      clock.advance(20 * 60_000);
      expect(await called).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining(`Timed out after 20m: ${state}`),
      });
    }
  });

  test('wait uses its timeout for an unavailable service, and exits with 4 if the service never answered', async () => {
    const server = await ScriptedServer.open(cuts);
    const clock = new TestClock();
    const called = call([...wait, ...version], { url: server.url, clock });
    for (const ms of [1000, 2000, 4000]) await clock.pass(ms);
    await clock.asleep(8000);
    clock.advance(30 * 60_000);
    expect(await called).toMatchObject({
      code: 4,
      err: expect.stringContaining('The service did not answer in time (--timeout 30m)'),
    });
  });

  test('with a timeout of 0, wait checks once', async () => {
    const log = await emptyLog();
    const once = () => call([...wait, ...version, '--timeout', '0'], { url: log.url });
    expect(await once()).toMatchObject({ code: 1, err: expect.stringContaining('the log has no event for it') });
    await postStored(log.url, arrival());
    expect((await once()).code).toBe(0);
    const away = await ScriptedServer.open(cuts);
    expect((await call([...wait, ...version, '--timeout', '0s'], { url: away.url })).code).toBe(4);
    expect(away.received).toHaveLength(1);
    const silent = await ScriptedServer.open(hangs);
    const clock = new TestClock();
    const called = call([...wait, ...version, '--timeout', '0'], { url: silent.url, clock });
    await silent.asked(1);
    await clock.pass(10_000);
    expect((await called).code).toBe(4);
  });

  test('wait ends before the timeout if the service refuses', async () => {
    const server = await ScriptedServer.open(answers(404, 'nginx'));
    expect(await call([...wait, ...version], { url: server.url })).toMatchObject({ code: 3 });
  });
});

test.each([
  [[], 'Give the release as either --version or --sha.'],
  [[...version, '--sha', 'abc'], 'Give the release as either --version or --sha.'],
  [['--version', ''], '--version is empty'],
  [[...version, '--environment', ''], '--environment is required'],
  [
    [...version, '--timeout', '1 hour'],
    '--timeout must be a duration such as 90s, 30m, 2h or 1.12:00:00, not "1 hour"',
  ],
])('wait with %j is a usage error', async (more, sentence) => {
  const { code, err } = await call([...wait, ...more]);
  expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
});
