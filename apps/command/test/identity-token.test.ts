import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answers, cuts, ScriptedServer, TestClock, testFolder } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { testEmulator } from '../../ci-emulator/test/support/emulator.ts';
import { call, forever, hurriedClock } from './support/call.ts';

const place = ['--service', 'api', '--environment', 'prod'];
const post = ['post', ...place, '--status', 'success', '--deployment-id', 'd-1'];
const [postRoute, listRoute] = ['POST /api/deployments', 'GET /api/deployments'];
const row = { id: '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55', deployment_id: 'd-1', service: 'api', status: 'success' };
const stored = answers(201, JSON.stringify(row));
const nothing = answers(200, JSON.stringify({ items: [], next_cursor: null }));
const noKey = { SHIPLOG_API_KEY: '' };
const fakeToken = (part: string) => `eyJh.${part}.c2ln`;

function refuses(status: number, more: object = {}) {
  const body = JSON.stringify({ type: 'x', title: 'x', status, detail: 'It is so.', instance: '/', ...more });
  return answers(status, body, { 'content-type': 'application/problem+json' });
}

/** A folder with one program, for PATH. */
async function programs(name: string, text: string): Promise<string> {
  const folder = await testFolder();
  await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`);
  await chmod(join(folder, name), 0o755);
  return `${folder}:/usr/bin:/bin`;
}

/** The credentials of the requests that a server received. */
function credentials(server: ScriptedServer): unknown[] {
  return server.received.map(({ headers }) => [headers['x-api-key'], headers.authorization]);
}

function audienceOf(authorization: unknown): unknown {
  const [, payload = ''] = String(authorization).split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).aud;
}

describe('a call without a key', () => {
  test("access §3.9: on GitHub each request has a token of its own, for the service's address", async () => {
    const emulator = await testEmulator();
    const server = await ScriptedServer.open(cuts);
    server.script(postRoute, cuts, stored);
    server.script(listRoute, nothing);
    const env = {
      ...noKey,
      ACTIONS_ID_TOKEN_REQUEST_URL: `${emulator.url}/_ci/id-token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-runner',
    };
    const { code, out, err } = await call([...post, ...forever], {
      url: `${server.url}/`,
      env,
      clock: hurriedClock,
    });
    expect(code).toBe(0);
    const sent = server.received.map(({ headers }) => String(headers.authorization));
    expect(sent).toHaveLength(3);
    expect(new Set(sent).size).toBe(3);
    expect(sent.map(audienceOf)).toEqual([server.url, server.url, server.url]);
    expect(credentials(server).map((pair) => (pair as unknown[])[0])).toEqual([undefined, undefined, undefined]);
    for (const token of sent) expect(out + err).not.toContain(token.slice('Bearer '.length));
    await call(post, { url: server.url, env: { ...env, SHIPLOG_AUDIENCE: 'https://log.example' } });
    expect(audienceOf(server.received.at(-1)?.headers.authorization)).toBe('https://log.example');
  });

  test('access §3.9: GitLab provides the token in SHIPLOG_ID_TOKEN', async () => {
    const server = await ScriptedServer.open(stored);
    const env = { ...noKey, GITLAB_CI: 'true', CI_PIPELINE_ID: '9', SHIPLOG_ID_TOKEN: fakeToken('gl') };
    expect((await call(post, { url: server.url, env })).code).toBe(0);
    expect(credentials(server)).toEqual([[undefined, `Bearer ${fakeToken('gl')}`]]);
    const broken = { ...env, SHIPLOG_ID_TOKEN: 'not a token' };
    const { code, err } = await call(post, { url: server.url, env: broken });
    expect([code, err]).toEqual([2, expect.stringContaining('SHIPLOG_ID_TOKEN is not an identity token')]);
    expect(err).not.toContain('not a token');
    expect(server.received).toHaveLength(1);
  });

  test.each([
    ['BUILDKITE', 'buildkite-agent', 'oidc request-token --audience https://log.example'],
    ['CIRCLECI', 'circleci', 'run oidc get --claims {"aud":"https://log.example"}'],
  ])('access §3.9: with %s, %s gives the token', async (mark, program, args) => {
    const note = join(await testFolder(), 'arguments');
    const PATH = await programs(program, `echo "$*" >>${note}; echo ${fakeToken('t')}`);
    const server = await ScriptedServer.open(stored);
    const env = { ...noKey, PATH, [mark]: 'true', SHIPLOG_AUDIENCE: 'https://log.example' };
    expect((await call(post, { url: server.url, env })).code).toBe(0);
    expect(credentials(server)).toEqual([[undefined, `Bearer ${fakeToken('t')}`]]);
    expect(await readFile(note, 'utf8')).toBe(`${args}\n`);
  });

  test('run posts both events with tokens, and does not pass its tokens to the command', async () => {
    const PATH = await programs('buildkite-agent', `echo ${fakeToken('t')}`);
    const server = await ScriptedServer.open(stored);
    const seen = join(await testFolder(), 'seen');
    const env = { ...noKey, PATH, BUILDKITE: 'true', BUILDKITE_BUILD_ID: '1' };
    const command = ['sh', '-c', `env >${seen}; exit 3`];
    const { code } = await call(['run', ...place, '--', ...command], { url: server.url, env });
    expect(code).toBe(3);
    expect(server.of(postRoute).map(({ headers }) => headers.authorization)).toEqual(
      Array(2).fill(`Bearer ${fakeToken('t')}`),
    );
    expect(await readFile(seen, 'utf8')).not.toContain(fakeToken('t'));
  });

  test.each([
    ['post', post],
    ['run', ['run', ...place, '--', 'true']],
  ])('%s prints the claim that differs in each rule', async (_, args) => {
    const tried = [
      { rule: 1, claim: 'ref', expected: ['refs/heads/main'], found: 'refs/heads/x' },
      { rule: 2, claim: 'environment', expected: null, found: null },
    ];
    const errors = [{ pointer: '/service', message: 'is out of the scope of the credential' }];
    const server = await ScriptedServer.open(refuses(403, { errors, reason: 'no-rule', tried }));
    const { err } = await call(args, { url: server.url, env: { ...noKey, SHIPLOG_ID_TOKEN: fakeToken('x') } });
    expect(err).toContain(
      [
        'The service refused the request (403): It is so.',
        '  rule 1: ref is refs/heads/x, not refs/heads/main',
        '  rule 2: environment is missing',
      ].join('\n'),
    );
    expect(err).not.toContain('out of the scope');
  });

  test('a post with a refused token is not retried, and the response of the service says why', async () => {
    const server = await ScriptedServer.open(refuses(401));
    const env = { ...noKey, SHIPLOG_ID_TOKEN: fakeToken('x') };
    const { code, err } = await call(post, { url: server.url, env });
    expect([code, err]).toEqual([3, expect.stringContaining('refused the request (401): It is so.')]);
    expect(err).not.toContain('SHIPLOG_API_KEY');
    expect(server.received).toHaveLength(1);
  });

  test('a failing source is retried, and its output is never printed', async () => {
    const PATH = await programs('buildkite-agent', 'echo secret-output; echo secret-error >&2; exit 5');
    const server = await ScriptedServer.open(stored);
    const clock = new TestClock();
    const env = { ...noKey, PATH, BUILDKITE: 'true' };
    const calling = call([...post, '--timeout', '5s'], { url: server.url, env, clock });
    // The timeout and the delay after the first attempt.
    await expect.poll(() => clock.slept.length).toBe(2);
    clock.advance(5000);
    const { code, out, err } = await calling;
    expect([code, out]).toEqual([4, '']);
    expect(err).toContain(
      "Can't get an identity token from buildkite-agent (exit code 5). Alternatively, set SHIPLOG_API_KEY.",
    );
    expect(err).not.toContain('secret-');
    expect(server.received).toEqual([]);
  });

  test('without any source the request has no token, and the refusal says what to do', async () => {
    const server = await ScriptedServer.open(refuses(401));
    for (const env of [noKey, { ...noKey, CIRCLECI: 'true', PATH: await testFolder() }]) {
      const { code, err } = await call(post, { url: server.url, env });
      expect([code, err]).toEqual([3, expect.stringContaining('or let the job have an identity token')]);
    }
    expect(credentials(server)).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });
});

test('access §9.29: a key goes first', async () => {
  const server = await ScriptedServer.open(stored);
  const env = { SHIPLOG_API_KEY: 'of-this-pipeline', SHIPLOG_ID_TOKEN: fakeToken('x') };
  expect((await call(post, { url: server.url, env })).code).toBe(0);
  expect(credentials(server)).toEqual([['of-this-pipeline', undefined]]);
});

test('access §3.9: a spool holds no token, and its events are posted with the token of the job that sends them', async () => {
  const folder = await testFolder();
  const away = await ScriptedServer.open(cuts);
  const clock = new TestClock();
  const first = { ...noKey, SHIPLOG_ID_TOKEN: fakeToken('first') };
  const calling = call([...post, '--spool', folder], { url: away.url, env: first, clock });
  await away.asked(1);
  clock.advance(60_000);
  expect((await calling).code).toBe(0);
  const [name = ''] = await readdir(folder);
  expect(await readFile(join(folder, name), 'utf8')).not.toContain(fakeToken('first'));
  const server = await ScriptedServer.open(stored);
  server.script(listRoute, nothing, nothing);
  const second = { ...noKey, SHIPLOG_ID_TOKEN: fakeToken('second') };
  const next = ['post', ...place, '--status', 'success', '--deployment-id', 'd-2', '--spool', folder];
  expect((await call(next, { url: server.url, env: second })).code).toBe(0);
  expect(
    server.of(postRoute).map(({ body, headers }) => [JSON.parse(String(body)).deployment_id, headers.authorization]),
  ).toEqual([
    ['d-1', `Bearer ${fakeToken('second')}`],
    ['d-2', `Bearer ${fakeToken('second')}`],
  ]);
});
