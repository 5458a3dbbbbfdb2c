import { answers, ScriptedServer } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { checkCommand, testCommand } from '../src/commands.ts';
import type { RelayConfig } from '../src/config.ts';
import { fileOf } from './support/file.ts';
import { Run } from './support/run.ts';

/** Runs a command and returns everything that it prints and reports. */
function command(targets: readonly string[], baseUrl = 'http://127.0.0.1:1') {
  const [written, told]: [string[], string[]] = [[], []];
  const config: RelayConfig = {
    ...{ baseUrl, apiKey: 'secret-of-pipelines', controlApiKey: undefined, componentId: 'relay', host: '127.0.0.1' },
    ...{ port: 0, resetGateMaxTtlMs: 90_000, logLevel: 'silent', problemBase: '/problems' },
    publicUrl: undefined,
    ...fileOf(['targets:', ...targets.map((target) => `  - ${target}`)]),
  };
  const signal = new AbortController().signal;
  const options = {
    config,
    signal,
    write: (text: string) => void written.push(text),
    tell: (line: string) => void told.push(line),
  };
  return { options, written, told };
}

test('--check shows what the last 50 events would have sent, and sends nothing', async () => {
  const run = await Run.open();
  const hook = `url: "${run.hook.url}"`;
  const targets = [
    `{ name: all, type: webhook, ${hook} }`,
    `{ name: bad, type: teams, ${hook}, rules: [{ when: failure }] }`,
    `{ name: back, type: discord, ${hook}, rules: [{ when: recovery }] }`,
    `{ name: ce, type: cdevents, ${hook} }`,
  ];
  await run.post({ service: 'a', status: 'failure', environment: 'prod' });
  await run.post({ service: 'a', environment: 'prod' });
  await run.post({ service: 'b\t\u202e', status: 'in-progress' });
  await run.post({ service: 'old', happened_at: '2026-01-01T00:00:00Z' });
  const { options, written, told } = command(targets, run.serviceUrl);
  expect(await checkCommand(options)).toBe(0);
  expect(written.join('').trimEnd().split('\n')).toEqual([
    ...['all\ta\tprod\tfailure', 'bad\ta\tprod\tfailure', 'all\ta\tprod\tsuccess'],
    ...['back\ta\tprod\tsuccess', 'ce\ta\tprod\tsuccess'],
  ]);
  expect(told).toEqual(['4 events would have sent 5 messages; nothing was sent.']);
  expect(run.hook.received).toEqual([]);
  expect(await run.position()).toBeUndefined();
});

test('--check knows the stages of the service, and names a stage that does not exist', async () => {
  const run = await Run.open();
  const target = (name: string, environments: string) =>
    `{ name: ${name}, type: webhook, url: "${run.hook.url}", rules: [{ match: { environments: [${environments}] } }] }`;
  await run.post({ service: 'a', environment: 'PROD' });
  await run.post({ service: 'b', environment: 'dev' });
  const targets = [
    target('live', '"stage:Prod"'),
    target('none', '"stage:live"'),
    target('not', '"stage:prod", "!prod"'),
  ];
  const { options, written, told } = command([...targets, target('both', '"stage:prod", de*')], run.serviceUrl);
  expect(await checkCommand(options)).toBe(0);
  expect(written).toEqual(['live\ta\tPROD\tsuccess\n', 'both\ta\tPROD\tsuccess\n', 'both\tb\tdev\tsuccess\n']);
  expect(told).toEqual([
    'No stage is named "live", so rules with it match nothing.',
    '2 events would have sent 3 messages; nothing was sent.',
  ]);
});

test('--check uses the singular for one event and one message', async () => {
  const run = await Run.open();
  await run.post({ service: 'a' });
  const { options, told } = command([`{ name: all, type: webhook, url: "${run.hook.url}" }`], run.serviceUrl);
  expect(await checkCommand(options)).toBe(0);
  expect(told).toEqual(['1 event would have sent 1 message; nothing was sent.']);
});

test('--check names the address of an unreachable service', async () => {
  const { options, told } = command(['{ name: a, type: teams, url: "https://acme.test" }']);
  expect(await checkCommand(options)).toBe(4);
  expect(told).toEqual([expect.stringContaining("can't be reached. Start it")]);
});

test('--check shows that the service refused the request', async () => {
  const refusing = await ScriptedServer.open(answers(404, '{}'));
  const { options, told } = command(['{ name: a, type: teams, url: "https://acme.test" }'], refusing.url);
  expect(await checkCommand(options)).toBe(3);
  expect(told).toEqual([expect.stringContaining('answered 404')]);
});

test('--test sends one message that identifies itself as a test', async () => {
  const server = await ScriptedServer.open(answers(200));
  const { options } = command([`{ name: a, type: teams, url: "${server.url}" }`]);
  expect(await testCommand('a', options)).toBe(0);
  expect(server.received).toHaveLength(1);
  expect(String(server.received[0]?.body)).toContain('test');
});

test('--test shows why a message was refused, or the names of all targets', async () => {
  const server = await ScriptedServer.open(answers(403));
  const { options, told } = command([`{ name: a, type: teams, url: "${server.url}/secret-of-the-hook" }`]);
  expect(await testCommand('a', options)).toBe(1);
  expect(await testCommand('b', options)).toBe(2);
  expect(told).toEqual([
    'The test message was not delivered to a: it answered 403.',
    'No target is named "b". Targets: a.',
  ]);
});
