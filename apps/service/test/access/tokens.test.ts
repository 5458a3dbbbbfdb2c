import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestIssuer, testDatabase, testFolder, testKeys, testService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { accessService, post, send } from '../support/access.ts';

const audience = 'https://shiplog.example';
const slot = { service: 'pay-api', environment: 'prod' };

const claims = {
  aud: audience,
  sub: 'repo:acme/payments:environment:prod',
  repository: 'acme/payments',
  repository_id: '7421',
  repository_owner: 'acme',
  repository_owner_id: '9919',
  environment: 'prod',
  ref: 'refs/heads/main',
  sha: '89abcdef0123456789abcdef0123456789abcdef',
  run_id: '77',
  actor: 'Alice',
  workflow_ref: 'acme/payments/.github/workflows/deploy.yml@refs/heads/main',
  runner_environment: 'github-hosted',
  event_name: 'push',
};

const fileOf = (issuer: TestIssuer, rules: string) =>
  `issuers: [{ name: github, kind: github, issuer: "${issuer.url}" }]\npipelines:\n${rules}`;
const byOwner = `  - { issuer: github, claims: { repository_owner_id: "9919" }, may: { services: ["pay-*"], environments: claimed } }\n`;

async function gitHub(rules = byOwner) {
  const issuer = await TestIssuer.start('/_services/token');
  const service = await accessService(fileOf(issuer, rules));
  const bearer = async (own: Record<string, unknown> = {}, header = {}) => ({
    Authorization: `Bearer ${await issuer.token({ ...claims, ...own }, header)}`,
  });
  return { ...service, issuer, bearer };
}

const guardedReads = {
  readers: 'proxy',
  readerHeader: 'x-forwarded-email',
  readerProxies: ['10.0.0.0/8'],
} as const;
const controlKey = { 'X-Control-API-Key': testKeys.control };

test('a job posts with its identity token, and the event proves it', async () => {
  const { url, issuer, bearer } = await gitHub();
  const stored = await post(url, await bearer(), {
    ...slot,
    sha: '89abcdef',
    actor: 'alice',
    run_url: `${new URL(issuer.url).origin}/acme/payments/actions/runs/77/attempts/2`,
  });
  expect(stored.status).toBe(201);
  const { body } = await send(url, `/api/deployments/${stored.body.id}/proof`, {});
  expect(body).toMatchObject({
    kind: 'token',
    key: null,
    token: {
      issuer: issuer.url,
      kind: 'github',
      repository: 'acme/payments',
      repository_id: '7421',
      environment: 'prod',
      ref: 'refs/heads/main',
      sha: claims.sha,
      run_url: `${new URL(issuer.url).origin}/acme/payments/actions/runs/77`,
      workflow: claims.workflow_ref,
      actor: 'Alice',
      runner: 'github-hosted',
    },
  });
  expect((body.claims as { field: string; agrees: boolean }[]).map(({ field, agrees }) => [field, agrees])).toEqual([
    ['sha', true],
    ['environment', true],
    ['run_url', true],
    ['actor', true],
  ]);
});

test('a refused token says why, in words and data', async () => {
  const { url, bearer } = await gitHub();
  const wrong = await post(url, await bearer({ aud: 'https://other.example' }), slot);
  expect(wrong).toMatchObject({ status: 401, body: { reason: 'audience', claims: { repository: 'acme/payments' } } });
  expect(wrong.body.detail).toContain(`: "https://other.example". Ask the CI tool for one for "${audience}".`);
  expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer/);
  expect(wrong.body.tried).toBeUndefined();
  const elsewhere = await post(url, await bearer({ repository_owner_id: '1' }), slot);
  expect(elsewhere).toMatchObject({
    status: 403,
    body: {
      reason: 'no-rule',
      tried: [{ rule: 1, claim: 'repository_owner_id', expected: ['9919'], found: '1' }],
      credential: { kind: 'token', id: '7421', name: 'acme/payments' },
    },
  });
  const outside = await post(url, await bearer({ environment: 'dev' }), slot);
  expect(outside).toMatchObject({
    status: 403,
    body: { reason: 'scope', errors: [{ pointer: '/environment' }], tried: [{ rule: 1, claim: null }] },
  });
  const none = await post(url, await bearer({ environment: undefined }), slot);
  expect(none.status).toBe(403);
});

test('a token of a pull_request_target run needs a rule that names event_name', async () => {
  const { url, bearer } = await gitHub();
  const refused = await post(url, await bearer({ event_name: 'pull_request_target' }), slot);
  expect(refused).toMatchObject({ status: 403, body: { reason: 'no-rule', tried: [{ claim: 'event_name' }] } });
  const named = byOwner.replace('claims: {', 'claims: { event_name: [pull_request_target], ');
  const other = await gitHub(named);
  expect((await post(other.url, await other.bearer({ event_name: 'pull_request_target' }), slot)).status).toBe(201);
});

test('a key and a token together are refused, and without an access file a token is ignored', async () => {
  const { url, bearer, databaseUrl } = await gitHub();
  const both = { ...(await bearer()), 'X-Api-Key': testKeys.api };
  expect(await post(url, both, slot)).toMatchObject({ status: 401, body: { reason: 'two-credentials' } });
  const plain = await testService({ databaseUrl });
  expect((await post(plain.url, both, slot)).status).toBe(201);
  expect((await post(plain.url, await bearer(), slot)).status).toBe(401);
});

test('a repository that is created again does not inherit its rights, until its pin is forgotten', async () => {
  const rules =
    '  - { issuer: github, claims: { repository: "acme/payments" }, may: { services: ["*"], environments: ["*"] } }\n';
  const { url, bearer } = await gitHub(rules);
  expect((await post(url, await bearer(), slot)).status).toBe(201);
  // The same name in another case is the same repository.
  expect((await post(url, await bearer({ repository: 'Acme/Payments' }), slot)).status).toBe(201);
  const refused = await post(url, await bearer({ repository_id: '1' }), slot);
  expect(refused).toMatchObject({ status: 403, body: { reason: 'pinned' } });
  expect((await post(url, await bearer({ repository_id: undefined }), slot)).status).toBe(403);
  const pins = await send(url, '/api/access/pins', controlKey);
  expect(pins.body).toMatchObject({
    items: [{ issuer: 'github', kind: 'repository', name: 'acme/payments', id: '7421' }],
    next_cursor: null,
  });
  const forget = () => send(url, '/api/access/pins/github/ACME%2Fpayments', controlKey, { method: 'DELETE' });
  expect((await forget()).status).toBe(204);
  expect((await forget()).status).toBe(404);
  expect((await post(url, await bearer({ repository_id: '1' }), slot)).status).toBe(201);
  const kinds = async () =>
    ((await send(url, '/api/access/acts', controlKey)).body.items as { kind: string }[]).map(({ kind }) => kind);
  await until(async () => (await kinds()).filter((kind) => kind === 'pin-made').length === 2);
  expect(await kinds()).toEqual(expect.arrayContaining(['pin-refused', 'pin-forgotten', 'rule-first-used']));
});

test('two instances cannot pin two ids of one name', async () => {
  const rules =
    '  - { issuer: github, claims: { repository: "acme/payments" }, may: { services: ["*"], environments: ["*"] } }\n';
  const { url, bearer, databaseUrl, path } = await gitHub(rules);
  const other = await testService({ databaseUrl, config: { accessFile: path, publicUrl: audience } });
  const posts = await Promise.all([
    post(url, await bearer(), slot),
    post(other.url, await bearer({ repository_id: '1' }), slot),
    post(url, await bearer(), slot),
    post(other.url, await bearer({ repository_id: '1' }), slot),
  ]);
  const statuses = posts.map(({ status }) => status);
  expect([statuses, statuses.toReversed()]).toContainEqual([201, 403, 201, 403]);
});

test('own gives a repository the services that the catalog lists for it', async () => {
  const issuer = await TestIssuer.start('/_services/token');
  const folder = await testFolder();
  const catalogFile = join(folder, 'catalog.yaml');
  const server = new URL(issuer.url).host;
  writeFileSync(
    catalogFile,
    `services:\n  - { name: pay-api, repository: "https://${server}/ACME/payments.git" }\n  - { name: web, repository: "https://${server}/acme/web" }\n`,
  );
  const rule =
    '  - { issuer: github, claims: { repository_owner_id: 9919 }, may: { services: own, environments: claimed } }\n';
  const { url } = await accessService(fileOf(issuer, rule), { config: { catalogFile } });
  const bearer = { Authorization: `Bearer ${await issuer.token(claims)}` };
  expect((await post(url, bearer, slot)).status).toBe(201);
  expect(await post(url, bearer, { ...slot, service: 'web' })).toMatchObject({
    status: 403,
    body: {
      errors: [
        {
          pointer: '/service',
          message: expect.stringMatching(/its repository in the catalog is .*, and the token is from/),
        },
      ],
      may: { post: { services: 'own', environments: 'claimed' } },
    },
  });
  expect((await post(url, bearer, { ...slot, service: 'nobody' })).status).toBe(403);
});

test("an issuer's keys are fetched once, again for an unknown one, and kept while it is unreachable", async () => {
  const { url, issuer, bearer } = await gitHub();
  const old = await bearer();
  const statuses = await Promise.all(
    Array.from({ length: 5 }, () => post(url, old, slot).then(({ status }) => status)),
  );
  expect(statuses).toEqual([201, 201, 201, 201, 201]);
  expect(issuer.fetches).toBe(1);
  await issuer.rotate();
  expect((await post(url, await bearer(), slot)).status).toBe(201);
  expect(issuer.fetches).toBe(2);
  // A withdrawn key is refused, even for tokens that were verified before.
  expect((await post(url, old, slot)).status).toBe(503);
  // A flood of unknown keys costs no fetch before 30 s have passed.
  const flood = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => post(url, await bearer({}, { kid: `k${n}` }), slot)),
  );
  expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([503]));
  expect(Number(flood[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(issuer.fetches).toBe(2);
  issuer.isAway = true;
  expect((await post(url, await bearer(), slot)).status).toBe(201);
});

test('while the keys of an issuer cannot be fetched, a post is told to retry later', async () => {
  const { url, issuer, bearer } = await gitHub();
  issuer.isAway = true;
  const away = await post(url, await bearer(), slot);
  expect(away.status).toBe(503);
  expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('/api/access/self describes the token that it receives', async () => {
  const { url, bearer } = await gitHub();
  const self = async (own = {}) => send(url, '/api/access/self', await bearer(own));
  expect((await self()).body).toMatchObject({
    kind: 'token',
    id: '7421',
    name: 'acme/payments',
    may: { post: { environments: 'claimed' } },
    expires: expect.stringMatching(/Z$/),
  });
  expect(await self({ repository_owner_id: '1' })).toMatchObject({ status: 403, body: { reason: 'no-rule' } });
});

test('an event that contradicts its token, or lacks a required proof, is reported as a finding', async () => {
  const issuer = await TestIssuer.start('/_services/token');
  const { url } = await accessService(fileOf(issuer, byOwner), { config: { provenEnvironments: ['PROD'] } });
  const bearer = { Authorization: `Bearer ${await issuer.token(claims)}` };
  await post(url, bearer, { ...slot, sha: 'ffffffff' });
  await post(url, { 'X-Api-Key': testKeys.api }, { ...slot, service: 'web' });
  await post(url, { 'X-Api-Key': testKeys.api }, { service: 'web', environment: 'dev' });
  const quality = await send(url, '/api/quality?kind=contradicted&kind=unproven', {});
  expect((quality.body.findings as object[]).map((finding) => finding)).toMatchObject([
    { kind: 'contradicted', service: 'pay-api', environment: 'prod', count: 1 },
    { kind: 'unproven', service: 'web', environment: 'prod', count: 1 },
  ]);
  expect(quality.body.counts).toMatchObject({ contradicted: 1, unproven: 1 });
  const plain = await testService({ databaseUrl: (await testDatabase()).url });
  expect((await send(plain.url, '/api/quality?kind=contradicted', {})).status).toBe(422);
  expect((await send(plain.url, '/api/quality', {})).body.counts).not.toHaveProperty('contradicted');
});

test('a re-created repository does not inherit the right to read', async () => {
  const named =
    '  - { issuer: github, claims: { repository: acme/payments }, may: { services: ["pay-*"], environments: [prod], read: true } }\n';
  const issuer = await TestIssuer.start('/_services/token');
  const { url } = await accessService(fileOf(issuer, named), { config: guardedReads });
  const bearer = async (id: string | null) => ({
    Authorization: `Bearer ${await issuer.token({ ...claims, repository_id: id ?? undefined })}`,
  });
  const statuses = async (id: string | null) => {
    const headers = await bearer(id);
    const paths = ['/api/matrix', '/api/deployments?deployment_id=d-1', '/openapi.json', '/api/access/self'];
    return Promise.all(paths.map(async (path) => (await fetch(`${url}${path}`, { headers })).status));
  };
  // A read stores no pin.
  expect(await statuses('8')).toEqual([200, 200, 200, 200]);
  expect((await post(url, await bearer('7421'), { ...slot, deployment_id: 'd-1' })).status).toBe(201);
  expect(await statuses('7421')).toEqual([200, 200, 200, 200]);
  expect(await statuses('8')).toEqual([403, 403, 403, 403]);
  expect(await statuses(null)).toEqual([403, 403, 403, 403]);
  const refused = await send(url, '/api/matrix', await bearer('8'));
  expect(refused.body).toMatchObject({ reason: 'pinned', asked: { read: true } });
  const acts = async () =>
    (await send(url, '/api/access/acts?kind=pin-refused', controlKey)).body.items as { count: number }[];
  await until(async () => (await acts()).reduce((sum, { count }) => sum + count, 0) === 9);
});

test('a public issuer is what its URL says, whatever the file calls it', async () => {
  const folder = await testFolder();
  const issuer = await TestIssuer.start();
  writeFileSync(join(folder, 'keys.json'), JSON.stringify(issuer.published()));
  const publicUrl = 'https://token.actions.githubusercontent.com';
  const { url } = await accessService(
    `issuers: [{ name: pub, kind: generic, issuer: "${publicUrl}", jwks_file: ${join(folder, 'keys.json')} }]
pipelines:
  - { issuer: pub, claims: { repository: acme/payments }, may: { services: ["*"], environments: ["*"] } }
`,
  );
  const sent = async (own: object) =>
    post(url, { Authorization: `Bearer ${await issuer.token({ ...claims, iss: publicUrl, ...own })}` }, slot);
  expect((await sent({})).status).toBe(201);
  expect((await sent({ repository_id: '8' })).body).toMatchObject({ reason: 'pinned' });
  expect((await sent({ event_name: 'pull_request_target' })).status).toBe(403);
});
