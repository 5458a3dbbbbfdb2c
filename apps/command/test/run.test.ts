import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@shiplog/client';
import { makeFolder, removeFolder } from '@shiplog/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { call } from './support/call.ts';
import { type LogOfTest, sharedLog } from './support/service.ts';
import { Spawned } from './support/spawned.ts';

const { emptyLog } = sharedLog();
const place = ['run', '--service', 'api', '--environment', 'prod', '--version', '1.4.2'];

function run(log: LogOfTest, ...command: readonly string[]): Spawned {
  return new Spawned(log.url, [...place, '--', ...command]);
}

async function statuses(log: LogOfTest): Promise<string[]> {
  const rows = await log.rows();
  expect(new Set(rows.map(({ deployment_id }) => deployment_id)).size).toBe(1);
  expect(rows.every(({ version, service }) => version === '1.4.2' && service === 'api')).toBe(true);
  return rows.map(({ status }) => status);
}

describe('the command that run starts', () => {
  test('a command runs with its streams and exit code, and is posted as success or failure', async () => {
    const log = await emptyLog();
    const failed = run(log, 'sh', '-c', 'cat; echo to the other >&2; exit 3');
    failed.child.stdin?.end('from outside\n');
    expect(await failed.ended()).toBe(3);
    expect([failed.out, failed.err]).toEqual(['from outside\n', 'to the other\n']);
    expect(await statuses(log)).toEqual(['in-progress', 'failure']);
    const other = await emptyLog();
    expect(await run(other, 'true').ended()).toBe(0);
    expect(await statuses(other)).toEqual(['in-progress', 'success']);
  });

  test('a command ended by a signal is posted as cancelled, and run exits with the code of the signal', async () => {
    const log = await emptyLog();
    const running = run(log, 'sh', '-c', 'echo ready; exec sleep 60');
    await running.said('ready');
    running.child.kill('SIGTERM');
    expect(await running.ended()).toBe(143);
    expect(await statuses(log)).toEqual(['in-progress', 'cancelled']);
  });

  test('the exit code decides the outcome of a command that handles a signal and continues', async () => {
    const log = await emptyLog();
    const running = run(log, 'sh', '-c', "trap 'echo taken' HUP; echo ready; read line; exit 129");
    await running.said('ready');
    running.child.kill('SIGHUP');
    await running.said('taken');
    // The signal may have arrived before the shell began to read.
    running.child.stdin?.end('go on\n');
    expect(await running.ended()).toBe(129);
    expect(await statuses(log)).toEqual(['in-progress', 'failure']);
  });

  test('a command that ignores a signal and succeeds is posted as a success', async () => {
    const log = await emptyLog();
    const running = run(log, 'sh', '-c', "trap '' TERM; echo ready; read line; exit 0");
    await running.said('ready');
    running.child.kill('SIGTERM');
    running.child.stdin?.end('go on\n');
    expect(await running.ended()).toBe(0);
    expect(await statuses(log)).toEqual(['in-progress', 'success']);
  });
});

test('values that the log would refuse are cut or left out with a warning, and the command runs', async () => {
  const log = await emptyLog();
  const long = (length: number) => '😀'.repeat(length);
  const odd = {
    '--service': long(129),
    '--environment': long(65),
    '--version': long(51),
    '--deployment-id': long(201),
    '--run-url': 'no url',
    '--run-number': long(129),
    '--reporter': 'A',
    '--timeout': 'x',
    '--spool': '',
  };
  const options = Object.entries(odd).flat();
  const running = new Spawned(log.url, [
    'run',
    ...options,
    '--parent',
    long(201),
    'p',
    '--',
    'sh',
    '-c',
    'echo ran; exit 7',
  ]);
  expect([await running.ended(), running.out]).toEqual([7, 'ran\n']);
  const rows = await log.rows();
  expect(rows.map(({ status }) => status)).toEqual(['in-progress', 'failure']);
  const [{ id: _, status: __, happened_at: ___, deployment_id, ...members } = {}] = rows as Partial<(typeof rows)[0]>[];
  expect(deployment_id).toMatch(/^😀+~[0-9a-f]{12}$/u);
  expect(members).toEqual({
    service: long(128),
    environment: long(64),
    version: long(50),
    run_number: long(128),
    parent_deployments: ['p'],
    progress_reporter: 'shiplog',
  });
  const said = running.err.trim().split('\n');
  for (const flag of [...Object.keys(odd), '--parent']) {
    expect(said.filter((line) => line.startsWith(`${flag} `))).toHaveLength(1);
  }
  expect(said).toHaveLength(Object.keys(odd).length + 1);
});

test('a command starts only when signals to its group can be told from others', async () => {
  const log = await emptyLog();
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  const [gate, opened] = [join(folder, 'gate'), join(folder, 'opened')];
  execFileSync('sh', ['-c', 'mkfifo "$0"', gate]);
  // The process that tells them runs cat, which here waits at the gate first.
  const late = `#!/bin/sh\nread -r go < '${gate}'\n: > '${opened}'\nexec /bin/cat\n`;
  await writeFile(join(folder, 'cat'), late, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const patient: Clock = {
    now: () => new Date(),
    sleep: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
  };
  const running = call([...place, '--', 'test', '-e', opened], { url: log.url, clock: patient });
  await expect.poll(async () => (await log.rows()).length).toBe(1);
  await writeFile(gate, 'go\n');
  expect((await running).code).toBe(0);
});

test.each([
  [[], 'Give the command after two hyphens'],
  [['true'], 'Give the command after two hyphens'],
  [['--service', '', '--', 'true'], '--service is required'],
  [['--environment', '', '--', 'true'], '--environment is required'],
])('run with %j is a usage error, and no command is started', async (more, sentence) => {
  const { code, err } = await call([...place, ...more]);
  expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
});
