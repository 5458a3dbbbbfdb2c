import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answers, cuts, hangs, ScriptedServer, TestClock, testFolder, testKeys } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { call, forever, hurriedClock } from './support/call.ts';
import { sharedLog } from './support/service.ts';

const { emptyLog, meddledLog } = sharedLog();
const instant = '2026-05-04T09:12:02.5Z';
const place = ['--service', 'api', '--environment', 'prod'];
const post = ['post', ...place, '--status', 'success', '--deployment-id', 'd-1'];
const row = {
  id: '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55',
  deployment_id: 'd-1',
  service: 'api',
  environment: 'prod',
  status: 'success',
  happened_at: instant,
};
const [postRoute, listRoute] = ['POST /api/deployments', 'GET /api/deployments'];

function problem(status: number, more: object = {}) {
  const body = JSON.stringify({ type: 'x', title: 'x', status, detail: 'It is so.', instance: '/', ...more });
  return answers(status, body, { 'content-type': 'application/problem+json' });
}

const nothing = answers(200, JSON.stringify({ items: [], next_cursor: null }));

describe('posting an event', () => {
  test('a posted event is stored with the given fields, and its id is printed', async () => {
    const log = await emptyLog();
    const { code, out, err } = await call([...post, '--version', '1.4.2', '--parent', 'p-1', '--parent', 'p-2'], {
      url: log.url,
    });
    const [stored] = await log.rows();
    expect([code, err]).toEqual([0, '']);
    expect(out).toBe(`success of api in prod is stored as ${stored?.id}.\n`);
    expect(stored).toMatchObject({
      deployment_id: 'd-1',
      version: '1.4.2',
      parent_deployments: ['p-1', 'p-2'],
      progress_reporter: 'shiplog',
    });
  });

  test('post --json prints the event as the API returned it, and --quiet prints nothing', async () => {
    const log = await emptyLog();
    const { out } = await call([...post, '--json', '--reporter', 'deploy/x', '--happened-at', instant], {
      url: log.url,
    });
    expect([JSON.parse(out)]).toEqual(await log.rows());
    expect(JSON.parse(out)).toMatchObject({ progress_reporter: 'deploy/x', happened_at: instant });
    expect(await call([...post, '--quiet', '--url', log.url])).toEqual({ code: 0, out: '', err: '' });
  });

  test('an event in a file is posted, and options override its fields', async () => {
    const log = await emptyLog();
    const path = join(await testFolder(), 'event.json');
    const { id: _, ...event } = row;
    await writeFile(path, `\ufeff${JSON.stringify({ ...event, version: 'of the file', actor: 'of the file' })}`);
    expect((await call(['post', '--file', path, '--version', 'of the option'], { url: log.url })).code).toBe(0);
    expect(await log.rows()).toMatchObject([{ ...event, version: 'of the option', actor: 'of the file' }]);
  });

  test('an event with an unknown field, or without any field, is refused with its pointer and never sent', async () => {
    const server = await ScriptedServer.open(cuts);
    const said = await call(['post', '--file', '-'], {
      url: server.url,
      stdin: JSON.stringify({ ...row, status: 'done' }),
    });
    expect(said.code).toBe(2);
    expect(said.err).toMatch(/-: \/id: is not a known field\n +-: \/status: must be one of pending/);
    for (const stdin of ['', '[1]', '"x"', '{', 'null']) {
      const { code, err } = await call(['post', '--file', '-'], { url: server.url, stdin });
      expect([code, err]).toEqual([2, expect.stringContaining('- is not an event')]);
    }
    expect(server.received).toEqual([]);
  });

  test.each([
    [['--file', '/nowhere/event.json'], "Can't read --file /nowhere/event.json (ENOENT)"],
    [['--batch', '--file', 'x'], 'Give --batch or --file, not both.'],
    [['--reporter', 'Deploy Action'], '--reporter must be at most 128 lower-case letters'],
    [['--timeout', 'soon'], '--timeout must be a duration'],
    [['--status', 'done'], 'Allowed choices are pending, queued'],
    [['--spool', ''], '--spool needs the path of a folder'],
    [['--nonsense'], "Unknown option '--nonsense'"],
  ])('post with %j is a usage error', async (more, sentence) => {
    const { code, out, err } = await call([...post, ...more], { url: 'http://127.0.0.1:9' });
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(sentence);
  });

  test('post --dry-run needs neither key nor service', async () => {
    const { code, out } = await call([...post, '--dry-run', '--happened-at', instant], {
      url: 'no address',
      env: { SHIPLOG_API_KEY: '' },
    });
    const { id: _, ...event } = row;
    expect([code, JSON.parse(out)]).toEqual([0, event]);
  });
});

describe('posting a batch', () => {
  test('a batch is stored in order, and faults are reported by line before anything is sent', async () => {
    const log = await emptyLog();
    const line = (n: number, more: object = {}) =>
      JSON.stringify({
        deployment_id: `d-${n}`,
        service: 'ä',
        environment: 'prod',
        status: 'success',
        happened_at: `2026-05-04T09:00:0${n}Z`,
        ...more,
      });
    const faulty = await call(['post', '--batch'], {
      url: log.url,
      stdin: [line(1), '', line(2, { status: 'x', actor: 7 })].join('\n'),
    });
    expect(faulty.code).toBe(2);
    expect(faulty.err).toMatch(/line 3: \/status: must be one of .*\n +line 3: \/actor: must be a string/);
    expect(await log.rows()).toEqual([]);
    const stdin = [line(3), line(1), line(2), line(3)].join('\r\n');
    const { code, out } = await call(['post', '--batch', '--json'], { url: log.url, stdin });
    expect(code).toBe(0);
    expect(
      out
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text).deployment_id),
    ).toEqual(['d-3', 'd-1', 'd-2', 'd-3']);
    expect((await log.rows()).map(({ deployment_id }) => deployment_id)).toEqual(['d-1', 'd-2', 'd-3']);
  });

  test('a batch without events ends at once', async () => {
    expect(await call(['post', '--batch'], { stdin: '\n\n' })).toEqual({ code: 0, out: '', err: '' });
  });
});

describe('a repeated step of a pipeline', () => {
  test('a repeated step creates no duplicate with the same deployment, slot, status and time', async () => {
    const log = await emptyLog();
    const step = (...more: string[]) => call([...post, '--happened-at', instant, ...more], { url: log.url });
    await step();
    const { code, out } = await step('--happened-at', '2026-05-04T11:12:02.500+02:00');
    expect([code, out]).toEqual([0, 'success of api in prod was already in the log.\n']);
    expect([JSON.parse((await step('--json')).out)]).toEqual(await log.rows());
    for (const more of [
      ['--service', 'b'],
      ['--environment', 'b'],
      ['--status', 'failure'],
      ['--deployment-id', 'b'],
      ['--happened-at', '2026-05-04T09:12:03Z'],
    ]) {
      expect((await step(...more)).out).toContain('is stored');
    }
    expect(await log.rows()).toHaveLength(6);
  });

  test.each(['none', 'half', { status: 502, body: 'Bad Gateway' }] as const)(
    'a step whose response was lost after the commit (%j) creates no duplicate',
    async (fate) => {
      let lost = 0;
      const log = await meddledLog({ answered: ({ method }) => (method === 'POST' && lost++ === 0 ? fate : 'whole') });
      const { code, out } = await call([...post, ...forever], { url: log.url, clock: hurriedClock });
      expect([code, lost]).toEqual([0, 1]);
      expect(await log.rows()).toHaveLength(1);
      expect(out).toContain('was already in the log');
    },
  );

  test('an event that did not reach the service is posted again with the time of the first attempt', async () => {
    let lost = 0;
    const log = await meddledLog({ asks: ({ method }) => method !== 'POST' || lost++ > 2 });
    expect((await call([...post, ...forever], { url: log.url, clock: hurriedClock })).code).toBe(0);
    expect([lost, (await log.rows()).length]).toEqual([4, 1]);
  });
});

describe('posting to a failing service', () => {
  test('a service that answers 503 gets a retry after Retry-After and a check of the log', async () => {
    const server = await ScriptedServer.open(nothing);
    server.script(postRoute, answers(503, '', { 'retry-after': '7' }), answers(201, JSON.stringify(row)));
    const clock = new TestClock();
    const called = call(post, { url: server.url, clock });
    await clock.pass(7000);
    const { code, out, err } = await called;
    expect([code, out]).toEqual([0, `success of api in prod is stored as ${row.id}.\n`]);
    expect(err).toContain('The service answered 503. Try again in a moment. Retrying in 7 s.');
    expect(server.received.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST']);
    const [first, second] = server.of(postRoute).map(({ body }) => String(body));
    expect(second).toBe(first);
  });

  test.each([
    ['hangs', hangs],
    ['cuts every connection', cuts],
    ['answers only 503', answers(503, '', { 'retry-after': '3600' })],
  ])('a service that %s until the timeout is unavailable: exit code 4, or 0 with --best-effort', async (_, act) => {
    for (const [more, wanted] of [
      [[], 4],
      [['--best-effort'], 0],
    ] as const) {
      const server = await ScriptedServer.open(act);
      const clock = new TestClock();
      const called = call([...post, '--timeout', '90s', ...more], { url: server.url, clock });
      await server.asked(1);
      await clock.asleep(90_000);
      clock.advance(90_000);
      const { code, out, err } = await called;
      expect([code, out]).toEqual([wanted, '']);
      expect(err).toContain('Not all events could be posted within 90 s.');
      const [sent] = server.received.map(({ body }) => JSON.parse(String(body)));
      expect(err).toContain(
        `Repeat the call with --deployment-id d-1 --happened-at ${sent.happened_at}; events are not stored twice.`,
      );
      expect(err.includes('continues because of --best-effort')).toBe(wanted === 0);
    }
  });

  test.each([
    ['the key', problem(401), 'The service refused the request (401): It is so. Set SHIPLOG_API_KEY'],
    ['the event', problem(422, { errors: [{ pointer: '/ref', message: 'is\u202e odd' }] }), '/ref: is\\u{202e} odd'],
    ['the path', answers(404, 'nginx'), 'The server answered 404, but not in the format of Shiplog. Check --url'],
  ])('a service that refuses %s gets no retry, even with --best-effort', async (_, act, sentence) => {
    const server = await ScriptedServer.open(nothing);
    server.script(postRoute, act);
    const { code, out, err } = await call([...post, '--best-effort'], { url: server.url });
    expect([code, out]).toEqual([3, '']);
    expect(err).toContain(sentence);
    expect(server.received).toHaveLength(1);
  });

  test('if the service refuses one event of a batch, it still gets the others', async () => {
    const server = await ScriptedServer.open(nothing);
    server.script(postRoute, problem(422), answers(201, JSON.stringify(row)));
    const line = JSON.stringify({ ...row, id: undefined });
    const { code, out } = await call(['post', '--batch', '--json'], {
      url: server.url,
      stdin: `${line}\n${line.replace('d-1', 'd-2')}`,
    });
    expect([code, JSON.parse(out)]).toEqual([3, row]);
  });

  test('the call ends if the service refuses the check of the log', async () => {
    const server = await ScriptedServer.open(cuts);
    server.script(listRoute, answers(403, 'proxy'));
    const { code } = await call([...post, '--happened-at', instant], { url: server.url });
    expect([code, server.of(postRoute)]).toEqual([3, []]);
  });

  test('the key is never in a URL and is never sent to another host', async () => {
    const server = await ScriptedServer.open(nothing);
    server.script(postRoute, problem(401));
    const { out, err } = await call([...post, '--json'], { url: server.url, env: { SHIPLOG_API_KEY: testKeys.api } });
    const [asked] = server.received;
    expect(asked?.headers['x-api-key']).toBe(testKeys.api);
    expect(`${asked?.url}${asked?.body}${out}${err}`).not.toContain(testKeys.api);
  });
});

test('a signal ends a waiting call with the exit code of the signal and without a message', async () => {
  const server = await ScriptedServer.open(hangs);
  const stopping = new AbortController();
  const called = call(post, { url: server.url, signal: stopping.signal });
  await server.asked(1);
  const { Failure } = await import('../src/failure.ts');
  stopping.abort(new Failure(143, ''));
  expect(await called).toEqual({ code: 143, out: '', err: '' });
});

test('with --best-effort the call waits for an unavailable service for less than 10 s', async () => {
  const server = await ScriptedServer.open(answers(500));
  const options = { url: server.url, clock: hurriedClock };
  expect((await call([...post, '--best-effort'], options)).err).toContain('within 8 s');
  expect((await call([...post, '--best-effort', '--timeout', '20s'], options)).err).toContain('within 20 s');
  expect((await call(post, options)).err).toContain('within 60 s');
});

test('an empty variable counts as unset, and a call in CI without an address prints a warning at once', async () => {
  const empty = { SHIPLOG_URL: '', SHIPLOG_API_KEY_FILE: '' };
  const pipeline = { ...empty, GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '7' };
  const warned = await call([...post, '--best-effort'], { env: pipeline });
  expect(warned).toMatchObject({ code: 0, err: expect.stringContaining('No service address is set') });
  expect((await call(post, { env: pipeline })).code).toBe(4);
  const log = await emptyLog();
  expect((await call([...post, '--url', log.url], { env: pipeline })).code).toBe(0);
});
