import { anEvent, clientOf, fileService, postStored, runSql } from '@shiplog/testing';
import { beforeEach, expect, test } from 'vitest';
import { assistant } from './support/assistant.ts';
import { call } from './support/call.ts';

const log = fileService();
beforeEach(async () => void (await runSql(log.databaseUrl, 'delete from holds')));
const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const run = (...args: string[]) => call(args, { url: log.url });

async function deployed(): Promise<void> {
  await postStored(log.url, anEvent({ service: 'pay', environment: 'prod', version: '1.4.0', status: 'success' }));
  await postStored(log.url, anEvent({ service: 'pay', environment: 'staging', version: '1.4.2', status: 'success' }));
}

const ask = (...more: string[]) =>
  run('can-promote', '--service', 'pay', '--version', '1.4.2', '--from', 'staging', '--to', 'prod', ...more);

test('can-promote names every hold after the reasons of the log, and an exception lifts it', async () => {
  await deployed();
  expect((await ask()).code).toBe(0);
  const made = await run(
    'hold',
    'freeze',
    '--services',
    '*',
    '--environments',
    'prod*',
    '--for',
    '2h',
    '--reason',
    'Christmas',
    '--by',
    'Ines',
  );
  expect(made.code).toBe(0);
  const id = made.out.trim();
  await run(
    'hold',
    'lock',
    '--services',
    'pay',
    '--environments',
    'prod',
    '--for',
    '1h',
    '--reason',
    'load test',
    '--by',
    'Ben',
  );
  await run(
    'hold',
    'bad',
    '--services',
    'pay',
    '--environments',
    '*',
    '--version',
    '1.4.2',
    '--reason',
    'loses orders',
  );
  await run('hold', 'bad', '--services', 'pay', '--environments', '*', '--version', '1.4.1', '--reason', 'other');
  const refused = await ask();
  expect(refused.code).toBe(1);
  expect(refused.out.trim().split('\n')).toEqual([
    expect.stringMatching(/^no: frozen until \d+ \w{3} \d\d:\d\d: Christmas \(Ines\)\.$/),
    expect.stringMatching(/^no: locked by Ben until \d+ \w{3} \d\d:\d\d: load test\.$/),
    'no: 1.4.2 is marked bad: loses orders.',
  ]);
  expect((await ask('--at', hour(3))).out.trim()).toBe('no: 1.4.2 is marked bad: loses orders.');
  const ignored = await ask('--ignore-holds');
  expect(ignored.code).toBe(0);
  expect(ignored.err).toContain('Ignored: 1.4.2 is marked bad: loses orders.');
  expect((await run('except', id, '--services', 'pay', '--for', '1h', '--reason', 'hotfix')).code).toBe(0);
  expect((await ask()).out).not.toContain('frozen');
});

test('holds lists what is in force or upcoming, and a released hold is gone', async () => {
  expect((await run('holds')).err).toContain('Nothing is held');
  const { out } = await run(
    'hold',
    'freeze',
    '--services',
    'a*',
    '--environments',
    '*',
    '--from',
    hour(5),
    '--until',
    hour(6),
    '--reason',
    'later',
  );
  expect((await run('holds')).out).toBe('');
  expect((await run('holds', '--upcoming', '6h', '--services', 'abc')).out).toContain(`later\t\t${out.trim()}`);
  expect((await run('release', out.trim())).code).toBe(0);
  expect((await run('release', out.trim())).code).toBe(3);
  expect((await run('holds', '--upcoming', '6h')).out).toBe('');
  expect((await clientOf(log.url).getHold({ params: { id: out.trim() } })).body.released?.at).toBeDefined();
});

test('an invalid hold is a usage error', async () => {
  for (const args of [
    ['hold', 'stop', '--services', 'a', '--environments', '*', '--for', '1h', '--reason', 'x'],
    ['hold', 'lock', '--environments', '*', '--for', '1h', '--reason', 'x'],
    ['hold', 'lock', '--services', 'a', '--environments', '*', '--for', '1h', '--until', hour(1), '--reason', 'x'],
    ['except', 'x', '--services', 'a', '--reason', 'x'],
  ]) {
    expect((await run(...args)).code).toBe(2);
  }
});

/** Locks `pay` in `prod` for an hour; the id of the hold. */
async function locked(): Promise<string> {
  const scope = ['--services', 'pay', '--environments', 'prod', '--for', '1h'];
  return (await run('hold', 'lock', ...scope, '--reason', 'load test', '--by', 'Ben')).out.trim();
}

const untilFree = ['wait', '--until-free', '--service', 'pay', '--environment', 'prod'];

test('wait --until-free ends once the last hold is released, and names what it waits for', async () => {
  await deployed();
  const id = await locked();
  let questions = 0;
  const clock = {
    now: () => new Date(),
    // The time limit never expires; the hold is released between two requests.
    sleep: async (ms: number, signal?: AbortSignal) => {
      if (ms > 10_000) return new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
      questions += 1;
      if (questions === 2) await run('release', id);
    },
  };
  const { code, out, err } = await call(untilFree, { url: log.url, clock });
  expect([code, out]).toEqual([0, 'Nothing holds pay in prod.\n']);
  expect(err).toMatch(/^Waiting: locked by Ben until .*: load test\.\n$/);
  expect(questions).toBe(2);
});

test('wait --until-free fails at its time limit, and a bad version counts only for the given release', async () => {
  await run('hold', 'bad', '--services', 'pay', '--environments', 'prod', '--version', '1.4.2', '--reason', 'slow');
  const once = (...more: string[]) => run(...untilFree, '--timeout', '0', ...more);
  expect((await once()).code).toBe(0);
  expect((await once('--version', '1.4.1')).code).toBe(0);
  const refused = await once('--version', '1.4.2');
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('Timed out after 0: 1.4.2 is marked bad: slow.');
  const away = await call([...untilFree, '--timeout', '0'], { url: 'http://127.0.0.1:1' });
  expect(away.code).toBe(4);
});

const runHeld = (...more: string[]) => [
  ...['run', '--service', 'pay', '--environment', 'prod', '--version', '1.4.2', '--respect-holds', ...more, '--'],
  ...[process.execPath, '-e', 'process.exit(7)'],
];

test('run --respect-holds starts nothing and posts nothing while a hold is in force', async () => {
  const id = await locked();
  const count = async () => (await clientOf(log.url).listDeployments({ query: { service: 'pay' } })).body.items.length;
  const before = await count();
  const held = await run(...runHeld());
  expect(held.code).toBe(1);
  expect(held.err).toMatch(/Not started: locked by Ben until .*: load test\./);
  expect(await count()).toBe(before);
  await run('release', id);
  expect((await run(...runHeld())).code).toBe(7);
});

test('run --respect-holds starts the command if the service is unreachable, and says so', async () => {
  const { code, err } = await call(runHeld('--timeout', '0'), { url: 'http://127.0.0.1:1' });
  expect(code).toBe(7);
  expect(err).toContain('The holds are unknown, so the command starts.');
});

test('assistant tools list holds, and can_promote names them as reasons', async () => {
  await deployed();
  await locked();
  const { call: ask } = await assistant(log.url);
  const scope = { services: ['pay'], environments: ['prod'] };
  expect((await ask('holds', scope)).json.items).toMatchObject([{ kind: 'lock', ...scope, reason: 'load test' }]);
  expect((await ask('holds', { at: hour(2) })).json.items).toEqual([]);
  expect((await ask('holds', { at: 'soon' })).isError).toBe(true);
  const promotion = { service: 'pay', version: '1.4.2', from: 'staging', to: 'prod' };
  expect((await ask('can_promote', promotion)).json).toMatchObject({
    can_promote: false,
    items: [{ reason: expect.stringMatching(/^locked by Ben until .*: load test\.$/) }],
  });
  expect((await ask('can_promote', { ...promotion, at: hour(2) })).json).toMatchObject({
    can_promote: true,
    items: [],
  });
});
