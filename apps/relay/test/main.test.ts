import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answers, fileFolder, ProgramProcess, ScriptedServer, testKeys, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { Run } from './support/run.ts';

const main = join(import.meta.dirname, '../dist/main.js');
const inFolder = fileFolder();

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the relay until it exits, with a file containing these lines. */
function ran(lines: readonly string[], ...options: readonly string[]): Promise<Ended> {
  const file = inFolder('relay.yaml');
  writeFileSync(file, ['version: 1', ...lines].join('\n'));
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...options], { env: { RELAY_CONFIG: file } }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

test('an error in the file ends the relay with exit code 2 and a sentence that names its position', async () => {
  const { code, stdout, stderr } = await ran(['targets:', '  - { name: a, type: teams, url: "http://a.test" }']);
  const place = `${inFolder('relay.yaml')}:3`;
  const sentence = 'targets[0].url uses http for a.test; use https, or add the host to allow_hosts';
  expect([code, stdout, stderr]).toEqual([2, '', `${place}: ${sentence}.\n`]);
});

test('an unknown option ends the relay with exit code 2', async () => {
  const { code, stderr } = await ran([], '--test');
  expect([code, stderr]).toEqual([2, expect.stringContaining('Unknown arguments: --test. Use --check')]);
});

test('--test sends a message to the named target', async () => {
  const server = await ScriptedServer.open(answers(200));
  const { code, stderr } = await ran([`targets: [{ name: a, type: teams, url: "${server.url}" }]`], '--test', 'a');
  expect([code, stderr, server.received.length]).toEqual([0, 'The test message was delivered to a.\n', 1]);
});

test('a relay that is killed during a delivery repeats the delivery after the restart', async () => {
  const run = await Run.open();
  const file = inFolder('killed.yaml');
  writeFileSync(file, `version: 1\ntargets: [{ name: hook, type: webhook, url: "${run.hook.url}" }]\n`);
  const environment = {
    ...{ DASHBOARD_API_BASE_URL: run.serviceUrl, API_KEY: testKeys.api, CONTROL_API_KEY: testKeys.control },
    ...{ RELAY_CONFIG: file, PORT: '0' },
  };
  run.hook.script('POST /', answers(200), () => void first.child.kill('SIGKILL'), answers(200));
  const first = ProgramProcess.spawn('relay', environment);
  await until(async () => (await run.position()) !== undefined);
  const events = [await run.post(), await run.post(), await run.post()];
  await run.hook.asked(2);
  ProgramProcess.spawn('relay', environment);
  await run.hook.until(() => run.came.includes(events[2]?.id ?? ''));
  expect([...new Set(run.came)]).toEqual(events.map(({ id }) => id));
  expect(run.came.filter((id) => id === events[1]?.id)).toHaveLength(2);
});
