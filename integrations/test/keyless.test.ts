import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answers, cuts, ScriptedServer, testFolder } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { testEmulator } from '../../apps/ci-emulator/test/support/emulator.ts';
import { documentsOf, pathWith, run, script, scriptPrograms } from './support/steps.ts';
import { steps } from './support/tools.ts';

const deployment = ['--service', 'billing', '--environment', 'prod', '--status', 'success', '--deployment-id', 'd-1'];
const stored = answers(201, '{"id":"019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55"}');
const nothing = answers(200, '{"items":[],"next_cursor":null}');
const refusal = answers(401, '{"detail":"The audience is wrong."}');
const token = 'eyJh.eyJz.c2ln';

/** A PATH with the programs of the script, without curl for a call with wget. */
function tools(client: string, scripts: Readonly<Record<string, string>> = {}): Promise<string> {
  return pathWith([...scriptPrograms.filter((name) => name !== 'curl'), client], { sleep: ':', ...scripts });
}

function post(url: string, environment: Readonly<Record<string, string>>, args: readonly string[] = deployment) {
  return run('sh', [script, ...args], { SHIPLOG_URL: url, ...environment });
}

function bearers(server: ScriptedServer): unknown[] {
  return server.received.map(({ headers }) => headers.authorization);
}

describe.each(['curl', 'wget'])('with %s', (client) => {
  test('access §3.9: on GitHub each request has its own token', async () => {
    const emulator = await testEmulator();
    const server = await ScriptedServer.open(cuts);
    server.script('POST /api/deployments', answers(502), stored);
    server.script('GET /api/deployments', nothing);
    const { code, stdout, stderr } = await post(`${server.url}/`, {
      PATH: await tools(client),
      ACTIONS_ID_TOKEN_REQUEST_URL: `${emulator.url}/_ci/id-token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-runner',
    });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const sent = bearers(server).map(String);
    expect([sent.length, new Set(sent).size]).toEqual([3, 3]);
    for (const bearer of sent) {
      const [, payload = ''] = bearer.split('.');
      expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).aud).toBe(server.url);
      expect(stdout + stderr).not.toContain(bearer.slice('Bearer '.length));
    }
  });

  test('access §9.29: a key takes precedence', async () => {
    const server = await ScriptedServer.open(stored);
    const PATH = await tools(client);
    await post(server.url, { PATH, SHIPLOG_ID_TOKEN: token, SHIPLOG_API_KEY: 'of-this-pipeline' });
    expect(server.received.map(({ headers }) => [headers['x-api-key'], headers.authorization])).toEqual([
      ['of-this-pipeline', undefined],
    ]);
  });

  test('the token is never an argument of a program', async () => {
    const note = join(await testFolder(), 'arguments');
    const real = (await run('sh', ['-c', `command -v ${client}`])).stdout.trim();
    const PATH = await pathWith(
      scriptPrograms.filter((name) => name !== 'curl'),
      { [client]: `echo "$@" >>${note}; exec ${real} "$@"` },
    );
    const server = await ScriptedServer.open(stored);
    expect(await post(server.url, { PATH, SHIPLOG_ID_TOKEN: token })).toMatchObject({ code: 0 });
    expect(bearers(server)).toEqual([`Bearer ${token}`]);
    expect(await readFile(note, 'utf8')).toContain('/event');
    expect(await readFile(note, 'utf8')).not.toContain(token);
  });
});

test.each([
  ['BUILDKITE', 'buildkite-agent', 'oidc request-token --audience https://log.example'],
  ['CIRCLECI', 'circleci', 'run oidc get --claims {"aud":"https://log.example"}'],
])('access §3.9: with %s, %s gives the token', async (mark, program, args) => {
  const note = join(await testFolder(), 'arguments');
  const PATH = await tools('curl', { [program]: `echo "$*" >>${note}; echo ${token}` });
  const server = await ScriptedServer.open(stored);
  const environment = { PATH, [mark]: 'true', SHIPLOG_AUDIENCE: 'https://log.example' };
  expect(await post(server.url, environment)).toMatchObject({ code: 0 });
  expect(bearers(server)).toEqual([`Bearer ${token}`]);
  expect(await readFile(note, 'utf8')).toBe(`${args}\n`);
});

test('a failing token source is retried until the timeout, and its output is never printed', async () => {
  const PATH = await tools('curl', { 'buildkite-agent': 'echo secret-output; echo secret-error >&2; exit 5' });
  const server = await ScriptedServer.open(stored);
  const args = [...deployment, '--timeout', '0'];
  const { code, stderr } = await post(server.url, { PATH, BUILDKITE: 'true' }, args);
  expect({ code, stderr }).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('no identity token from buildkite-agent'),
  });
  expect(stderr).not.toContain('secret-');
  expect(server.received).toEqual([]);
});

test('an invalid SHIPLOG_ID_TOKEN is refused and not printed', async () => {
  const { code, stderr } = await post('http://127.0.0.1:1', { SHIPLOG_ID_TOKEN: 'not a token' });
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('is not an identity token') });
  expect(stderr).not.toContain('not a token');
});

test('a refusal says what to do: with a token, the service says it; without one, the script', async () => {
  const server = await ScriptedServer.open(refusal);
  const withToken = await post(server.url, { SHIPLOG_ID_TOKEN: token });
  expect(withToken).toMatchObject({ code: 3, stderr: expect.stringMatching(/with 401: The audience is wrong\.\n$/) });
  const without = await post(server.url, {});
  expect(without.stderr).toContain('or let the job have an identity token');
});

test.each(Object.entries(steps))('the %s posts without a key', async (_, step) => {
  const server = await ScriptedServer.open(stored);
  const { code, stderr } = await step({ url: server.url, timeout: '', key: '', job: { SHIPLOG_ID_TOKEN: token } });
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('posted') });
  expect(server.received.map(({ headers }) => [headers['x-api-key'], headers.authorization])).toEqual([
    [undefined, `Bearer ${token}`],
  ]);
});

test("the GitLab component asks for a token for the service's address", () => {
  const [, component] = documentsOf('gitlab/templates/shiplog.yml') as [unknown, { '.shiplog': object }];
  expect(component['.shiplog']).toMatchObject({ id_tokens: { SHIPLOG_ID_TOKEN: { aud: '$[[ inputs.url ]]' } } });
});
