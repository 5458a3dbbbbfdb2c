import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answers, cuts, ScriptedServer, testFolder, testKeys } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { emptyMock, pathWith, post, run, script, scriptPrograms as standing } from './support/steps.ts';

const deployment = ['--service', 'billing', '--environment', 'prod', '--status', 'success', '--deployment-id', 'd-1'];
const stored = answers(201, '{"id":"019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55"}');
const hostile = '"\\ \n\t\r\u007f é😀 $(id) `id` %s %n << >> {{ x }} \'; exit 1';

/** A PATH with a `sleep` that records the requested duration instead of waiting. */
async function withoutSleep(): Promise<{ PATH: string; slept: () => Promise<string> }> {
  const note = join(await testFolder(), 'slept');
  const PATH = await pathWith(standing, { sleep: `echo "$1" >>${note}` });
  return { PATH, slept: () => readFile(note, 'utf8') };
}

describe('an event', () => {
  test('is stored exactly as given, whatever its fields contain', async () => {
    const { url, events } = await emptyMock();
    const { code, stderr } = await post(url, [
      ...['--service', hostile, '--environment', '--prod', '--status', 'success', '--version=1=2', '--actor', hostile],
      ...[
        '--deployment-id',
        hostile,
        '--parent',
        'a b',
        '--parent',
        'c',
        '--happened-at',
        '2026-05-04T09:12:02.5+02:00',
      ],
      ...['--run-url', 'https://ci.example.com/7?a="b"', '--reporter', 'a/b'],
    ]);
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('run_url') });
    await post(url, [
      ...['--service', hostile, '--environment', '--prod', '--status', 'success', '--version=1=2', '--actor', hostile],
      ...[
        '--deployment-id',
        hostile,
        '--parent',
        'a b',
        '--parent',
        'c',
        '--happened-at',
        '2026-05-04T09:12:02.5+02:00',
      ],
      ...['--reporter', 'a/b'],
    ]);
    expect(await events()).toMatchObject([
      {
        ...{ service: hostile, environment: '--prod', status: 'success', version: '1=2', actor: hostile },
        ...{ deployment_id: hostile, parent_deployments: ['a b', 'c'], happened_at: '2026-05-04T07:12:02.5Z' },
        progress_reporter: 'a/b',
      },
    ]);
  });

  test('is filled in from the CI environment, and standard error lists the added fields', async () => {
    const { stdout, stderr } = await run(
      'sh',
      [script, '--service', 'billing', '--environment', 'prod', '--status', 'Failed', '--ref', 'v1', '--dry-run'],
      {
        ...{
          GITHUB_ACTIONS: 'true',
          GITHUB_RUN_ID: '7',
          GITHUB_RUN_ATTEMPT: '2',
          GITHUB_SERVER_URL: 'https://g.example.com',
        },
        ...{ GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_NUMBER: '41', GITHUB_ACTOR: 'alice', GITHUB_REF: 'main' },
      },
    );
    expect(JSON.parse(stdout)).toEqual({
      deployment_id: 'gha-7-2-billing-prod',
      service: 'billing',
      environment: 'prod',
      status: 'failure',
      happened_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      run_url: 'https://g.example.com/acme/shop/actions/runs/7',
      run_number: '41',
      actor: 'alice',
      ref: 'v1',
    });
    expect(stderr).toBe('shiplog-post: filled in by gha: run_url run_number actor deployment_id\n');
  });
});

describe('a post without a response', () => {
  test('is followed by a check of the log, and is not repeated if the log contains the event', async () => {
    const { PATH } = await withoutSleep();
    const server = await ScriptedServer.open(cuts);
    server.script('GET /api/deployments', answers(200, '{"items":[{"id":"x"}],"next_cursor":null}'));
    const { code, stderr } = await post(server.url, deployment, { PATH });
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'shiplog-post: the log already has this event\n' });
    expect(server.of('POST /api/deployments')).toHaveLength(1);
  });

  test('is repeated with the same time once the log responds without the event', async () => {
    const { PATH, slept } = await withoutSleep();
    const server = await ScriptedServer.open(cuts);
    server.script('POST /api/deployments', cuts, answers(502), stored);
    server.script('GET /api/deployments', cuts, answers(200, '{"items":[],"next_cursor":null}'));
    expect(await post(server.url, deployment, { PATH })).toMatchObject({ code: 0 });
    const bodies = server.of('POST /api/deployments').map(({ body }) => JSON.parse(String(body)));
    expect(bodies).toHaveLength(3);
    expect(new Set(bodies.map(({ happened_at }) => happened_at)).size).toBe(1);
    expect(await slept()).toBe('1\n2\n4\n');
    const [look] = server.of('GET /api/deployments');
    const asked = Object.fromEntries(new URL(look?.url ?? '', server.url).searchParams);
    const { happened_at } = bodies[0];
    expect(asked).toEqual({
      ...{ service: 'billing', environment: 'prod', status: 'success', limit: '1', deployment_id: 'd-1' },
      ...{ since: happened_at, until: happened_at.replace('Z', '.000001Z') },
    });
  });

  test('ends with exit code 4 at the timeout, or with 0 and a warning with best effort', async () => {
    const server = await ScriptedServer.open(answers(500));
    const args = [...deployment, '--timeout', '0'];
    expect(await post(server.url, args)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('last status: 500'),
    });
    const { code, stderr } = await post(server.url, [...args, '--best-effort']);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/^shiplog-post: warning: /) });
  });
});

test.each([
  ['best effort', ['--best-effort'], 8],
  ['the default', [], 60],
  ['a configured timeout', ['--best-effort', '--timeout', '30'], 30],
])('with %s and a log that hangs, all attempts together stay within the timeout', async (_, options, seconds) => {
  const clock = join(await testFolder(), 'clock');
  await writeFile(clock, '1000');
  const pass = (amount: string) => `echo $(($(cat ${clock}) + ${amount})) >${clock}`;
  const PATH = await pathWith(
    standing.filter((name) => name !== 'curl' && name !== 'date'),
    {
      // Checks of the log take their full time, and posts are cut off after a second.
      curl: `case "$*" in *--data-binary*) ${pass('1')}; exit 52 ;; esac; ${pass('$4')}; exit 28`,
      date: `case $* in +%s) cat ${clock} ;; *) echo 2026-05-04T09:12:02Z ;; esac`,
      sleep: pass('$1'),
    },
  );
  await post('http://log.example', [...deployment, ...options], { PATH });
  const taken = Number(await readFile(clock, 'utf8')) - 1000;
  expect(taken).toBeGreaterThan(seconds / 2);
  expect(taken).toBeLessThanOrEqual(seconds);
});

test('an empty variable counts as unset', async () => {
  const { url, events } = await emptyMock();
  const names = ['VERSION', 'HAPPENED_AT', 'PARENTS', 'RUN_URL', 'ACTOR', 'REPORTER', 'TIMEOUT', 'BEST_EFFORT'];
  const empty = Object.fromEntries(names.map((name) => [`SHIPLOG_${name}`, '']));
  expect(await post(url, deployment, { ...empty, SHIPLOG_API_KEY_FILE: '' })).toMatchObject({ code: 0 });
  expect(await events()).toHaveLength(1);
});

test('during a reset the script waits as long as Retry-After says, without checking the log', async () => {
  const { PATH, slept } = await withoutSleep();
  const server = await ScriptedServer.open(answers(404));
  const resetting = answers(503, '{"type":"/problems/reset-in-progress"}', { 'retry-after': '7' });
  server.script('POST /api/deployments', resetting, stored);
  expect(await post(server.url, deployment, { PATH })).toMatchObject({ code: 0 });
  expect(await slept()).toBe('7\n');
  expect(server.received.map(({ method }) => method)).toEqual(['POST', 'POST']);
});

test('repeating a step with the same time creates no duplicate', async () => {
  const { url, events } = await emptyMock();
  for (const happened_at of [
    '2026-05-04T09:12:02.25Z',
    '2026-05-04T11:12:02.250000+02:00',
    '2026-05-04T09:12:02.250001Z',
  ]) {
    expect(await post(url, [...deployment, '--happened-at', happened_at])).toMatchObject({ code: 0 });
  }
  const instants = (await events()).map(({ happened_at }) => happened_at).sort();
  expect(instants).toEqual(['2026-05-04T09:12:02.250001Z', '2026-05-04T09:12:02.25Z']);
});

test('the key is never an argument of a program', async () => {
  const note = join(await testFolder(), 'arguments');
  const PATH = await pathWith([...standing.filter((name) => name !== 'curl'), 'sleep'], {
    curl: `echo "$@" >>${note}; exec ${(await run('sh', ['-c', 'command -v curl'])).stdout.trim()} "$@"`,
  });
  const { url, events } = await emptyMock();
  expect(await post(url, deployment, { PATH })).toMatchObject({ code: 0 });
  expect(await events()).toHaveLength(1);
  expect(await readFile(note, 'utf8')).toContain('--data-binary');
  expect(await readFile(note, 'utf8')).not.toContain(testKeys.api);
});

describe('a refusal', () => {
  test('by the service ends with exit code 3 and its message, and is not repeated', async () => {
    const { url, events } = await emptyMock();
    const { code, stderr } = await post(url, deployment, { SHIPLOG_API_KEY: 'secret-of-nobody' });
    expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('refused the event with 401') });
    expect(await events()).toEqual([]);
  });

  test.each([
    [['--status', 'success', '--environment', 'prod'], 'Set the service with'],
    [['--service', 'a', '--environment', 'b', '--status', 'done'], 'Unknown status "done"'],
    [['--service', 'a', '--environment', 'b', '--status', 'success'], '--deployment-id'],
    [[...deployment, '--key', 'k'], 'Unknown option --key'],
    [[...deployment, '--version'], '--version needs a value'],
    [[...deployment, '--happened-at', 'now'], '--happened-at must look like'],
    [[...deployment, '--timeout', 'x'], 'must be 0 to 9999 seconds'],
    [[...deployment, '--url', 'ftp://x'], 'does not start with http'],
    [[...deployment, '--best-effort', 'x'], 'x'],
  ])('by the script itself ends with exit code 2, even with best effort: %j', async (args, sentence) => {
    const { code, stderr } = await run('sh', [script, ...args], { SHIPLOG_BEST_EFFORT: 'true' });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  });
});
