import type { CiIdToken, CiIssuer, CiToken } from '@shiplog/companions';
import { createLocalJWKSet, createRemoteJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { aProject, aRepo, aSeed, type Refused, type TestEmulator, testEmulator } from './support/emulator.ts';

const audience = 'https://shiplog.test';
const issuerPaths = { github: '/_services/token', gitlab: '' } as const;
type Tool = keyof typeof issuerPaths;
const tools = ['github', 'gitlab'] as const;

interface Discovery {
  readonly issuer: string;
  readonly jwks_uri: string;
}

async function discovered(emulator: TestEmulator, tool: Tool): Promise<Discovery> {
  return (await emulator.send<Discovery>(`${issuerPaths[tool]}/.well-known/openid-configuration`)).body;
}

function issue(emulator: TestEmulator, tool: Tool, request: object = {}): Promise<CiToken> {
  return emulator.ci<CiToken>('/tokens', { tool, audience, ...request });
}

function change(emulator: TestEmulator, tool: Tool, request: object = {}): Promise<CiIssuer> {
  return emulator.ci<CiIssuer>(`/issuers/${tool}`, request);
}

/** Verifies as a service does: discovery, keys, signature, issuer and audience. */
async function verify(emulator: TestEmulator, tool: Tool, token: string) {
  const { issuer, jwks_uri } = await discovered(emulator, tool);
  return jwtVerify(token, createRemoteJWKSet(new URL(jwks_uri)), { issuer, audience, algorithms: ['RS256'] });
}

async function keySet(emulator: TestEmulator, tool: Tool): Promise<JSONWebKeySet> {
  const { jwks_uri } = await discovered(emulator, tool);
  return (await emulator.send<JSONWebKeySet>(new URL(jwks_uri).pathname)).body;
}

test.each(tools)('access §9.30: the discovery document of %s names the issuer and its keys', async (tool) => {
  const emulator = await testEmulator();
  const issuer = `${emulator.url}${issuerPaths[tool]}`;
  expect(await discovered(emulator, tool)).toMatchObject({
    issuer,
    jwks_uri: tool === 'github' ? `${issuer}/.well-known/jwks` : `${issuer}/oauth/discovery/keys`,
  });
  expect(await change(emulator, tool)).toEqual({ tool, issuer, keys: [expect.any(String)], fault: null });
});

test('access §7: a GitHub token has the claims of its run, as strings', async () => {
  const emulator = await testEmulator();
  const { token, claims } = await issue(emulator, 'github');
  const { payload, protectedHeader } = await verify(emulator, 'github', token);
  expect(payload).toEqual(claims);
  expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'JWT' });
  const ref = 'refs/heads/main';
  const file = `acme/shop/.github/workflows/deploy.yml@${ref}`;
  expect(payload).toMatchObject({
    ...{ sub: 'repo:acme/shop:environment:dev', repository: 'acme/shop', repository_owner: 'acme' },
    ...{ repository_id: expect.stringMatching(/^\d+$/), repository_owner_id: expect.stringMatching(/^\d+$/) },
    ...{ environment: 'dev', ref, ref_type: 'branch', sha: 'a'.repeat(40), run_id: '11', run_attempt: '1' },
    ...{ run_number: '1', actor: 'alice', actor_id: expect.stringMatching(/^\d+$/), event_name: 'push' },
    ...{ workflow: 'Deploy', workflow_ref: file, job_workflow_ref: file, runner_environment: 'github-hosted' },
  });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
});

test('access §7: a GitLab token has the claims of its job', async () => {
  const emulator = await testEmulator();
  const { token } = await issue(emulator, 'gitlab', { repository: 'acme/ledger', run: 71 });
  const { payload } = await verify(emulator, 'gitlab', token);
  expect(payload).toMatchObject({
    ...{ sub: 'project_path:acme/ledger:ref_type:branch:ref:main', project_path: 'acme/ledger', project_id: '7' },
    ...{ namespace_path: 'acme', namespace_id: expect.stringMatching(/^\d+$/), pipeline_id: '71', job_id: '7101' },
    ...{ environment: 'dev', deployment_tier: 'development', ref: 'main', ref_path: 'refs/heads/main' },
    ...{ sha: 'b'.repeat(40), user_login: 'olivia', runner_environment: 'self-hosted' },
    ci_config_ref_uri: 'gitlab.com/acme/ledger//.gitlab-ci.yml@refs/heads/main',
  });
});

test('access §7: a job of a reusable workflow names the file that defines it', async () => {
  const path = '.github/workflows/deploy.yml';
  const called = '.github/workflows/reusable.yml';
  const workflows = [
    { id: 1, name: 'Deploy', path, yaml: `jobs:\n  ship:\n    uses: ./${called}\n` },
    { id: 2, name: 'Reusable', path: called, yaml: 'jobs:\n  apply:\n    environment: dev\n' },
  ];
  const [usual] = aRepo().deployments;
  if (!usual) throw new Error('the repository has a deployment');
  const deployments = [{ ...usual, job: 'ship / apply' }];
  const emulator = await testEmulator({}, aSeed({ repos: [aRepo({ workflows, deployments })] }));
  expect((await issue(emulator, 'github')).claims).toMatchObject({
    workflow_ref: `acme/shop/${path}@refs/heads/main`,
    job_workflow_ref: `acme/shop/${called}@refs/heads/main`,
  });
});

test('access §9.30: claims can be replaced, and a null claim is omitted', async () => {
  const emulator = await testEmulator();
  const { claims } = await issue(emulator, 'github', {
    environment: 'prod:eu',
    claims: { repository: 'Acme/Shop', actor: null, extra: [1] },
  });
  expect(claims).toMatchObject({ repository: 'Acme/Shop', environment: 'prod:eu', extra: [1] });
  expect(claims.sub).toBe('repo:Acme/Shop:environment:prod%3Aeu');
  expect(claims).not.toHaveProperty('actor');
  const bare = await issue(emulator, 'github', { claims: { environment: null, aud: ['a', 'b'] } });
  expect(bare.claims).toMatchObject({ sub: 'repo:acme/shop:ref:refs/heads/main', aud: ['a', 'b'] });
  const chosen = await issue(emulator, 'gitlab', { claims: { sub: 'someone', exp: null } });
  expect(chosen.claims.sub).toBe('someone');
  expect(chosen.claims).not.toHaveProperty('exp');
});

test('access §7: a token expires when the caller says so, even in the past', async () => {
  const emulator = await testEmulator();
  const { token } = await issue(emulator, 'gitlab', { expires_in: -61 });
  await expect(verify(emulator, 'gitlab', token)).rejects.toThrow(errors.JWTExpired);
});

test('access §7: after a rotation the previous key stays published until the next rotation', async () => {
  const emulator = await testEmulator();
  const { token } = await issue(emulator, 'github');
  const before = await change(emulator, 'github');
  const once = await change(emulator, 'github', { rotate: true });
  expect(once.keys).toEqual([expect.any(String), before.keys[0]]);
  await verify(emulator, 'github', token);
  const newer = await issue(emulator, 'github');
  const twice = await change(emulator, 'github', { rotate: true });
  expect(twice.keys).toEqual([expect.any(String), once.keys[0]]);
  await expect(verify(emulator, 'github', token)).rejects.toThrow(errors.JWKSNoMatchingKey);
  await verify(emulator, 'github', newer.token);
  // The other issuer keeps its keys.
  expect((await change(emulator, 'gitlab')).keys).toHaveLength(1);
});

test('access §9.30: an issuer that is down returns 503 until the fault ends, but still issues tokens', async () => {
  const emulator = await testEmulator();
  expect(await change(emulator, 'gitlab', { fault: 'down' })).toMatchObject({ fault: 'down' });
  const paths = ['/.well-known/openid-configuration', '/oauth/discovery/keys'];
  for (const path of paths) expect((await emulator.send(path)).status).toBe(503);
  await issue(emulator, 'gitlab');
  expect((await discovered(emulator, 'github')).issuer).toContain('/_services/token');
  expect(await change(emulator, 'gitlab')).toMatchObject({ fault: 'down' });
  expect(await change(emulator, 'gitlab', { fault: null })).toMatchObject({ fault: null });
  for (const path of paths) expect((await emulator.send(path)).status).toBe(200);
  expect(
    (await emulator.requests('?path=/oauth/**')).map(({ status, fault, charged }) => [status, fault, charged]),
  ).toEqual([
    [503, 'status', false],
    [200, undefined, false],
  ]);
});

test('access §7: a slow issuer answers later', async () => {
  const emulator = await testEmulator();
  await change(emulator, 'github', { fault: 'slow' });
  const leaving = new AbortController();
  const asked = emulator.send('/_services/token/.well-known/jwks', { signal: leaving.signal });
  const [request] = await logged(emulator);
  expect(request).toMatchObject({ status: 200, fault: 'delay_ms' });
  leaving.abort();
  await expect(asked).rejects.toThrow();
});

/** The request log once it has a request. The request is logged before its response is delayed. */
async function logged(emulator: TestEmulator) {
  for (let tries = 0; tries < 1000; tries += 1) {
    const requests = await emulator.requests();
    if (requests.length > 0) return requests;
  }
  throw new Error('the request was not logged');
}

test('access §7: wrong keys have the ids of the right ones, but verify no token', async () => {
  const emulator = await testEmulator();
  const { token } = await issue(emulator, 'github');
  const right = await keySet(emulator, 'github');
  await change(emulator, 'github', { fault: 'wrong-keys' });
  const wrong = await keySet(emulator, 'github');
  expect(wrong.keys.map(({ kid }) => kid)).toEqual(right.keys.map(({ kid }) => kid));
  await expect(jwtVerify(token, createLocalJWKSet(wrong))).rejects.toThrow(errors.JWSSignatureVerificationFailed);
  await jwtVerify(token, createLocalJWKSet(right));
});

test('the key set contains no private members', async () => {
  const emulator = await testEmulator();
  const { keys } = await keySet(emulator, 'gitlab');
  expect(keys.map((key) => Object.keys(key).sort())).toEqual([['alg', 'e', 'kid', 'kty', 'n', 'use']]);
});

test("access §7: GitHub's request URL issues a token to a job that sends any bearer token", async () => {
  const emulator = await testEmulator();
  const url = '/_ci/id-token?api-version=2.0&repository=acme/shop&environment=staging';
  expect((await emulator.send(url)).status).toBe(401);
  const headers = { authorization: 'Bearer anything' };
  const { body } = await emulator.send<CiIdToken>(`${url}&audience=${encodeURIComponent(audience)}`, { headers });
  const { payload } = await verify(emulator, 'github', body.value);
  expect(payload).toMatchObject({ repository: 'acme/shop', environment: 'staging', aud: audience });
  const usual = await emulator.send<CiIdToken>(url, { headers });
  const claims = JSON.parse(Buffer.from(usual.body.value.split('.')[1] ?? '', 'base64url').toString());
  expect(claims.aud).toBe('https://github.com/acme');
});

test('tokens are not dated by a virtual clock', async () => {
  const emulator = await testEmulator({ CLOCK: '2001-01-01T00:00:00Z' });
  const { token } = await issue(emulator, 'github');
  await verify(emulator, 'github', token);
});

test.each([
  [{ tool: 'github', repository: 'acme/nothing' }, '/repository'],
  [{ tool: 'github', repository: 'acme/ledger' }, '/repository'],
  [{ tool: 'gitlab', run: 4 }, '/run'],
  [{ tool: 'gitlab', audience: null }, '/audience'],
  [{ tool: 'jenkins' }, '/tool'],
])('a token for an unknown job is refused: %o', async (request, pointer) => {
  const emulator = await testEmulator({}, aSeed({ projects: [aProject()] }));
  const { status, body } = await emulator.post<Refused>('/_ci/tokens', { audience, ...request });
  expect([status, body.errors.map((error) => error.pointer)]).toEqual([422, [pointer]]);
});

test('an unknown issuer is not found', async () => {
  const emulator = await testEmulator();
  expect((await emulator.post('/_ci/issuers/jenkins', {})).status).toBe(404);
});
