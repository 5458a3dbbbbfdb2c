import { generateKeyPairSync, verify } from 'node:crypto';
import { readSettings } from '@shiplog/server';
import { testLogger } from '@shiplog/testing';
import { beforeAll, expect, test } from 'vitest';
import type { Adapter } from '../src/adapter.ts';
import { githubActions } from '../src/adapters/github/adapter.ts';
import { defaultsOf, exclusionOf } from '../src/adapters/github/defaults.ts';
import { receive as receiveDelivery } from '../src/adapters/github/delivery.ts';
import { AppToken, appJwt, openCalls } from '../src/adapters/github/github-tool.ts';
import type { Change } from '../src/change.ts';
import { ToolAway } from '../src/tool/refusals.ts';
import type { Tool } from '../src/tool/tool-http.ts';
import { scriptedTool, TestTool } from './support/github-tool.ts';

const signal = new AbortController().signal;
const minuteMs = 60_000;
let pem = '';
let publicKey = '';

beforeAll(() => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
});

function read(environment: Record<string, string>) {
  const { settings, places, tool } = githubActions;
  return readSettings({ ...settings, repos: places.setting, ...tool } as never, environment) as Record<string, unknown>;
}

function mistake(environment: Record<string, string>): string | undefined {
  return (githubActions as Adapter<never>).mistake?.(read(environment) as never);
}

test.each([
  ['GITHUB_REPOS', 'acme/shop, acme/web-*,*'],
  ['GITHUB_SERVICE_MAP', 'acme/shop=checkout, Deploy docs=docs'],
  ['GITHUB_SERVICE_FROM', 'workflow'],
  ['GITHUB_VERSION_SOURCE', 'payload:a.b'],
  ['GITHUB_WORKFLOW_EXCLUDE', 'acme/*/Nightly*'],
  ['GITHUB_RATE_LIMIT', '15000'],
  ['GITHUB_RATE_LIMIT_BUDGET_PCT', '100'],
  ['GITHUB_WEBHOOK_SECRET', '0123456789abcdef'],
  ['GITHUB_APP_ID', 'Iv1.8a61f9b3a7aba766'],
  ['GITHUB_APP_INSTALLATION_ID', '4711'],
])('the setting %s accepts %s', (variable, text) => {
  expect(() => read({ [variable]: text })).not.toThrow();
});

test.each([
  ['GITHUB_REPOS', 'acme'],
  ['GITHUB_REPOS', '*/shop'],
  ['GITHUB_REPOS', 'acme/shop/more'],
  ['GITHUB_SERVICE_MAP', 'acme/shop'],
  ['GITHUB_SERVICE_MAP', '=checkout'],
  ['GITHUB_SERVICE_FROM', 'ref'],
  ['GITHUB_VERSION_SOURCE', 'sha'],
  ['GITHUB_VERSION_SOURCE', 'attribute:colour'],
  ['GITHUB_WORKFLOW_EXCLUDE', 'acme/{a b}/x'],
  ['GITHUB_RATE_LIMIT', '-1'],
  ['GITHUB_RATE_LIMIT_BUDGET_PCT', '0'],
  ['GITHUB_WEBHOOK_SECRET', 'short'],
  ['GITHUB_WEBHOOK_SECRET_NEXT', 'short'],
  ['GITHUB_TOKEN', 'two words'],
  ['GITHUB_APP_INSTALLATION_ID', '../4711'],
  ['GITHUB_APP_PRIVATE_KEY', 'no key'],
  ['GITHUB_BASE_URL', 'https://user:password@git.acme'],
])('the setting %s refuses %s', (variable, text) => {
  expect(() => read({ [variable]: text })).toThrow(`${variable} is`);
});

test('the line breaks of a private key may be written as \\n', () => {
  expect(read({ GITHUB_APP_PRIVATE_KEY: pem.replaceAll('\n', '\\n') }).appPrivateKey).toBe(pem);
});

test('an App needs all three settings and excludes a token', () => {
  const app = { GITHUB_APP_ID: '7', GITHUB_APP_INSTALLATION_ID: '4711', GITHUB_APP_PRIVATE_KEY: pem };
  expect([mistake({}), mistake({ GITHUB_TOKEN: 't' }), mistake(app)]).toEqual([undefined, undefined, undefined]);
  expect(mistake({ GITHUB_APP_ID: '7' })).toContain('GITHUB_APP_INSTALLATION_ID and GITHUB_APP_PRIVATE_KEY');
  expect(mistake({ ...app, GITHUB_TOKEN: 't' })).toMatch(/^GITHUB_TOKEN and a GitHub App are both set/);
});

test('a delivery may be authenticated by either secret', () => {
  const isOpen = (environment: Record<string, string>) =>
    githubActions.webhook?.guards(read(environment) as never, () => 0).length === 1;
  const secret = '0123456789abcdef';
  expect([isOpen({}), isOpen({ GITHUB_WEBHOOK_SECRET: secret })]).toEqual([false, true]);
  expect(isOpen({ GITHUB_WEBHOOK_SECRET_NEXT: secret })).toBe(true);
});

test.each([
  ['repo', '', { repo: 'acme/shop', name: 'shop', workflow: 'Deploy' }, 'shop'],
  ['workflow', '', { repo: 'acme/shop', name: 'shop', workflow: 'Deploy' }, 'Deploy'],
  ['workflow', '', { repo: 'acme/shop', name: 'shop', workflow: '' }, 'shop'],
  ['repo', 'Acme/Shop=checkout', { repo: 'acme/shop', name: 'shop', workflow: 'Deploy' }, 'checkout'],
  ['repo', 'acme/shop=a,deploy=b', { repo: 'acme/shop', name: 'shop', workflow: 'Deploy' }, 'b'],
] as const)('the service by %s and "%s" of %o is %s', (serviceFrom, serviceMap, vars, service) => {
  expect(defaultsOf({ serviceFrom, serviceMap, versionSource: 'attribute:sha' }).service(vars)).toBe(service);
});

test('exclusion depends on the repository and the workflow; a deployment without a workflow is never excluded', () => {
  const isExcluded = exclusionOf('acme/*/Nightly*,foo/bar/*');
  const change = (repo: string, workflow: string) => ({ vars: { repo, workflow } }) as unknown as Change;
  const changes = [change('ACME/shop', 'nightly build'), change('acme/shop', 'Deploy'), change('foo/bar', '')];
  expect(changes.map(isExcluded)).toEqual([true, false, false]);
});

test('the JWT of an App is signed with its key and is valid for nine minutes', () => {
  const nowMs = Date.parse('2026-05-04T09:00:00.700Z');
  const [header = '', claims = '', signature = ''] = appJwt(
    { appId: '7', installationId: '1', privateKey: pem },
    nowMs,
  ).split('.');
  const decoded = [header, claims].map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  const issuedAt = Math.floor(nowMs / 1000) - 60;
  expect(decoded).toEqual([
    { alg: 'RS256', typ: 'JWT' },
    { iat: issuedAt, exp: issuedAt + 540, iss: '7' },
  ]);
  const content = Buffer.from(`${header}.${claims}`);
  expect(verify('RSA-SHA256', content, publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
});

test('an installation token is renewed five minutes before it expires, and after a refusal', async () => {
  let given = 0;
  const tool = new TestTool(() => ({ body: null }));
  const post = async (path: string, _: unknown, __: AbortSignal, pick: (body: unknown) => unknown) => {
    expect(path).toBe('/app/installations/4711/access_tokens');
    given += 1;
    return pick({ token: `t${given}`, expires_at: new Date(tool.nowMs + 60 * minuteMs).toISOString() });
  };
  const token = new AppToken(Object.assign(tool, { post }) as never, {
    ...{ appId: '7', installationId: '4711', privateKey: pem },
  });
  expect([await token.current(signal), await token.current(signal)]).toEqual(['t1', 't1']);
  tool.nowMs += 55 * minuteMs - 1;
  expect(await token.current(signal)).toBe('t1');
  tool.nowMs += 1;
  expect(await token.current(signal)).toBe('t2');
  token.forget();
  expect(await token.current(signal)).toBe('t3');
});

async function headersOf(token: string | undefined): Promise<{ tool: Tool; headers: Record<string, string> }> {
  const tools: Tool[] = [];
  const http = (tool: Tool) => {
    tools.push(tool);
    return scriptedTool({});
  };
  openCalls({ token, http }, undefined);
  const [tool] = tools;
  if (!tool) throw new Error('no caller was opened');
  return { tool, headers: { ...(await tool.headers(signal)) } };
}

test('requests have the API version and the token', async () => {
  const { tool, headers } = await headersOf('t');
  expect(headers).toEqual({
    authorization: 'Bearer t',
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
  });
  const charged = [tool.isCharged(200, '/x'), tool.isCharged(304, '/x'), tool.isCharged(200, '/rate_limit')];
  expect(charged).toEqual([true, false, false]);
  const rate = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1777885200' };
  expect(tool.rateOf(new Headers(rate))).toEqual({ limit: 60, remaining: 0, resetMs: 1_777_885_200_000 });
  expect(tool.rateOf(new Headers({ ...rate, 'x-ratelimit-limit': 'many' }))).toBeUndefined();
});

test('without a token, requests send no authorization, and a 304 counts against the quota', async () => {
  const { tool, headers } = await headersOf(undefined);
  expect(Object.keys(headers)).not.toContain('authorization');
  expect(tool.isCharged(304, '/x')).toBe(true);
});

const told = { id: 'gh-deploy-1', status: 'success' } as Change;
const deployment = {
  ...{ id: 1, sha: 'a'.repeat(40), ref: 'main', task: 'deploy', payload: {}, environment: 'prod', creator: null },
  ...{ created_at: '2026-05-04T09:00:00Z', updated_at: '2026-05-04T09:00:00Z' },
};
const status = {
  id: 10,
  state: 'success',
  creator: null,
  log_url: '',
  target_url: '',
  created_at: '2026-05-04T09:00:00Z',
};
const body = { repository: { full_name: 'acme/shop' }, deployment, deployment_status: status };

function receive(
  event: string,
  { changesOf = async () => ({ changes: [told], held: false, unknown: [] }), ...more } = {},
) {
  const discovery = { covers: (name: string) => name.startsWith('acme/'), isIdle: false, ...more };
  const http = scriptedTool({});
  const parts = { kind: 'github-actions', http, canAsk: true, discovery, translator: { changesOf } };
  const repository = { full_name: event === 'foreign' ? 'foo/bar' : 'acme/shop' };
  const headers = { 'x-github-event': event === 'foreign' ? 'deployment_status' : event };
  return receiveDelivery(parts, { headers, body: { ...body, repository } as never }, signal);
}

test('a status delivery becomes changes; other deliveries become hints or are ignored', async () => {
  expect(await receive('deployment_status')).toEqual({ changes: [told], hints: [] });
  for (const event of ['deployment', 'deployment_review', 'workflow_run'])
    expect(await receive(event)).toEqual({ changes: [], hints: ['acme/shop'] });
  expect(await receive('ping')).toEqual({ changes: [], hints: [] });
  expect(await receive('foreign')).toBeUndefined();
});

test.each([
  ['a verdict is pending', async () => ({ changes: [], held: true, unknown: [] })],
  ['the tool is unreachable', async () => Promise.reject(new ToolAway('502'))],
])(
  'if %s, a polled source leaves a delivery to polling, and a source that is not polled uses its body',
  async (_, changesOf) => {
    expect(await receive('deployment_status', { changesOf })).toEqual({ changes: [], hints: ['acme/shop'] });
    const alone = await receive('deployment_status', { changesOf, isIdle: true } as never);
    expect(alone?.changes).toMatchObject([{ id: 'gh-deploy-1', status: 'success', at: '2026-05-04T09:00:00Z' }]);
    expect(alone?.hints).toEqual([]);
  },
);

test('a source without places accepts deliveries from every repository', async () => {
  const values = read({});
  const context = {
    values,
    places: [],
    token: undefined,
    times: {},
    log: testLogger(undefined),
    http: () => scriptedTool({}),
  };
  const source = (githubActions as Adapter<never>).open(context as never);
  const delivery = { headers: { 'x-github-event': 'deployment_status' }, body: body as never };
  expect((await source.receive?.(delivery, signal))?.changes).toHaveLength(1);
});
