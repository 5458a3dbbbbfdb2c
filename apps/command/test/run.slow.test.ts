import { readdir } from 'node:fs/promises';
import { hangs, ScriptedServer, testFolder } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { sharedLog } from './support/service.ts';
import { Spawned } from './support/spawned.ts';

const { emptyLog, meddledLog } = sharedLog();
const place = ['run', '--service', 'api', '--environment', 'prod'];

test('a service that never answers delays the start by two seconds and does not change the exit code', async () => {
  const server = await ScriptedServer.open(hangs);
  const running = new Spawned(server.url, [
    ...place,
    '--timeout',
    '4s',
    '--',
    'sh',
    '-c',
    'echo started; read line; exit 5',
  ]);
  await running.said('started');
  await server.asked(1);
  // The outcome is posted as soon as the command has ended.
  expect(server.received).toHaveLength(1);
  running.child.stdin?.end('go on\n');
  expect(await running.ended()).toBe(5);
  expect(running.err).toContain('Not all events could be posted within 4 s');
});

test('a signal while the start event is posted ends run without starting the command', async () => {
  const server = await ScriptedServer.open(hangs);
  const running = new Spawned(server.url, [...place, '--timeout', '3s', '--', 'sh', '-c', 'echo started']);
  await server.asked(1);
  running.child.kill('SIGINT');
  expect(await running.ended()).toBe(130);
  expect(running.out).toBe('');
});

test('a second signal stops the posting of the outcome', async () => {
  const server = await ScriptedServer.open(hangs);
  const running = new Spawned(server.url, [...place, '--timeout', '1h', '--', 'sh', '-c', 'echo started; exit 6']);
  await running.said('started');
  await server.asked(2);
  running.child.kill('SIGTERM');
  expect(await running.ended()).toBe(6);
  expect(running.err).toContain('The outcome was not posted because of a signal.');
});

test('a start event that was not posted is posted with the end event, once and with its original time', async () => {
  let lost = 0;
  const log = await meddledLog({ answered: ({ method }) => (method === 'POST' && lost++ === 0 ? 'none' : 'whole') });
  const running = new Spawned(log.url, [...place, '--', 'true']);
  expect(await running.ended()).toBe(0);
  const rows = await log.rows();
  expect(rows.map(({ status }) => status)).toEqual(['in-progress', 'success']);
  expect(rows[0] && rows[1] && rows[0].happened_at < rows[1].happened_at).toBe(true);
});

test('with a spool, the start and end events wait until the service is available', async () => {
  const [folder, server] = [await testFolder(), await ScriptedServer.open(hangs)];
  const away = new Spawned(server.url, [...place, '--spool', folder, '--timeout', '2s', '--', 'sh', '-c', 'exit 9']);
  expect(await away.ended()).toBe(9);
  expect((await readdir(folder)).filter((name) => name.endsWith('.json'))).toHaveLength(2);
  const log = await emptyLog();
  const back = new Spawned(log.url, [...place, '--spool', folder, '--', 'true']);
  expect(await back.ended()).toBe(0);
  expect((await log.rows()).map(({ status }) => status)).toEqual(['in-progress', 'failure', 'in-progress', 'success']);
});

test.each([
  ['an invalid address', { SHIPLOG_URL: 'nowhere' }],
  ['a wrong key', { SHIPLOG_API_KEY: 'another' }],
])('with %s the command still runs, and run exits with its exit code', async (_, env) => {
  const log = await emptyLog();
  const running = new Spawned(log.url, [...place, '--', 'sh', '-c', 'echo ran; exit 7'], { env });
  expect(await running.ended()).toBe(7);
  expect(running.out).toBe('ran\n');
  expect(running.err.trim().split('\n')).toHaveLength(1);
});

test('a missing command exits with 127 and is posted as a failure', async () => {
  const log = await emptyLog();
  const running = new Spawned(log.url, [...place, '--', '/nowhere/deploy.sh']);
  expect(await running.ended()).toBe(127);
  expect(running.err).toContain("Can't start /nowhere/deploy.sh");
  expect((await log.rows()).map(({ status }) => status)).toEqual(['in-progress', 'failure']);
});
