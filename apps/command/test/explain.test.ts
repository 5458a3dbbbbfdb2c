import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '@shiplog/testing';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { call } from './support/call.ts';

const pair = await generateKeyPair('RS256', { extractable: true });
const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1' };
const url = 'https://shiplog.example';
const clock = { now: () => new Date('2026-11-27T12:00:00Z'), sleep: async () => undefined };
const seconds = clock.now().getTime() / 1000;

const acme = {
  ...{ iss: 'https://token.actions.githubusercontent.com', aud: url, exp: seconds + 300 },
  ...{ repository: 'acme/payments', repository_id: '7', repository_owner: 'acme', repository_owner_id: '9919' },
  ...{ environment: 'prod', ref: 'refs/heads/main' },
};
const rules = `
pipelines:
  - { issuer: github, claims: { repository: acme/other }, may: { services: ["*"], environments: ["*"] } }
  - { issuer: github, claims: { repository_owner_id: "9919" }, may: { services: own, environments: claimed, read: true } }
`;
const may = {
  ...{ post: { services: 'own', environments: 'claimed' }, hold: null, report: [], state: [] },
  ...{ outage: false, read: true, control: false },
};
const nothing = { ...may, post: null, read: false };

interface Given {
  readonly file?: string;
  readonly claims?: object;
  readonly token?: string;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
}

async function explained({ file, claims = {}, token, args = [], env = { SHIPLOG_URL: url } }: Given = {}) {
  const folder = await testFolder();
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  write('jwks.json', JSON.stringify({ keys: [jwk] }));
  const path = write('access.yaml', file ?? `issuers: [{ name: github, kind: github, jwks_file: jwks.json }]${rules}`);
  const catalog = write(
    'catalog.yaml',
    'services: [{ name: "pay-*", repository: "https://github.com/acme/payments" }]',
  );
  const signer = new SignJWT({ ...acme, ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'k1' });
  const stdin = token ?? `${await signer.sign(pair.privateKey)}\n`;
  const given = args.map((arg) => (arg === 'CATALOG' ? catalog : arg));
  const { code, out, err } = await call(['access', 'explain', '--file', path, ...given], { stdin, clock, env });
  for (const part of stdin.split('.').slice(-1)) if (part.length > 20) expect(out + err).not.toContain(part.trim());
  return { code, out: out.replaceAll(folder, '.'), err };
}

const tried = [
  { rule: 1, claim: 'repository', expected: ['acme/other'], found: 'acme/payments' },
  { rule: 2, claim: null, expected: null, found: null },
];

test('explain --json prints the reason, the claims, the rule, what was tried, and what the token may', async () => {
  const { code, out } = await explained({ args: ['--json'] });
  expect([code, JSON.parse(out)]).toEqual([0, { reason: null, claims: acme, rule: 2, tried, may }]);
});

test('explain says in words what matched, and that the signature was checked', async () => {
  const { code, out } = await explained({
    args: ['--service', 'pay-api', '--environment', 'Prod', '--catalog', 'CATALOG'],
  });
  expect([code, out.trimEnd().split('\n')]).toEqual([
    0,
    [
      'Token of github (https://token.actions.githubusercontent.com), expires at 2026-11-27T12:05:00.000Z.',
      'Signature: valid, checked with ./jwks.json.',
      "Rule 1 doesn't match: repository is acme/payments, not acme/other.",
      "Rule 2 matches. It lets the token post for its repository's services in the environment that it names, read.",
      'Accepted.',
    ],
  ]);
});

describe('explain exits with 1', () => {
  test.each<[string, Given, object, string]>([
    [
      'for a slot out of scope',
      { args: ['--service', 'ledger', '--environment', 'dev', '--catalog', 'CATALOG'] },
      { reason: 'scope', rule: 2, tried, may },
      'the catalog has no repository for this service, and the token is from https://github.com/acme/payments; the environment is out of the rule\'s scope: the token names "prod".',
    ],
    [
      'for a job without an environment',
      { claims: { environment: undefined }, args: ['--environment', 'prod'] },
      { reason: 'scope', rule: 2 },
      "Refused (scope): the environment is out of the rule's scope: the token names no environment.",
    ],
    [
      'for own without a catalog',
      { args: ['--service', 'pay-api'] },
      { reason: 'scope', rule: 2 },
      "the service is out of the rule's scope: name the catalog with --catalog.",
    ],
    [
      'if no rule matches',
      { claims: { repository_owner_id: '1', repository_owner: 'else', repository: 'else/x' } },
      {
        ...{ reason: 'no-rule', rule: null, may: nothing },
        tried: [
          { rule: 1, claim: 'repository', expected: null, found: 'else/x' },
          { rule: 2, claim: 'repository_owner_id', expected: null, found: '1' },
        ],
      },
      'Refused (no-rule): no rule of its issuer matches.',
    ],
    [
      'for a token without the id behind a name',
      { claims: { repository_id: undefined } },
      { reason: 'pinned', rule: 2 },
      'Refused (pinned): the token lacks the id',
    ],
    [
      'for another audience',
      { claims: { aud: 'https://else.example' } },
      { reason: 'audience', rule: 2 },
      'Refused (audience): the token is for another audience (aud): "https://else.example", not "https://',
    ],
    [
      'for an expired token',
      { claims: { exp: seconds - 61 } },
      { reason: 'expired', rule: 2 },
      'expired at 2026-11-27T11:58:59',
    ],
    [
      'for another issuer',
      { claims: { iss: 'https://else.example' } },
      { reason: 'unknown-issuer', tried: [] },
      'Token of "https://else.example".',
    ],
    [
      'for something else',
      { token: 'hello' },
      { reason: 'malformed', claims: null, tried: [], may: nothing },
      'Refused (malformed)',
    ],
  ])('%s', async (_, given, expected, sentence) => {
    const json = await explained({ ...given, args: [...(given.args ?? []), '--json'] });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject(expected);
    const words = await explained(given);
    expect(words.code).toBe(1);
    expect(words.out).toContain(sentence);
  });

  test('for a signature of another key', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const token = await new SignJWT(acme).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(privateKey);
    const { code, out } = await explained({ token });
    expect(code).toBe(1);
    expect(out).toContain('Signature: not valid, checked with ./jwks.json.');
    expect(out).toContain('Refused (signature)');
  });
});

describe('without jwks_file', () => {
  const file = `issuers: [{ name: github, kind: github }]${rules}`;

  test('explain says that the signature was not checked', async () => {
    const { code, out } = await explained({ file });
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('Signature: not checked: the issuer github has no jwks_file.'),
    ]);
  });

  test('explain says that the audience was not checked if no address is set', async () => {
    const { code, out } = await explained({ file, env: {}, claims: { aud: 'https://any.example' } });
    expect([code, out]).toEqual([0, expect.stringContaining('Audience: not checked')]);
    const wrong = await explained({ file, env: { SHIPLOG_URL: url, SHIPLOG_AUDIENCE: 'https://other.example/' } });
    expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('Refused (audience)')]);
  });

  test('a missing key file is not a fault of the token', async () => {
    const { code, out } = await explained({ file: file.replace('github }', 'github, jwks_file: nowhere.json }') });
    expect([code, out]).toEqual([0, expect.stringContaining('./nowhere.json is not a readable JSON Web Key Set')]);
  });
});

test.each<[string, Given, string]>([
  ['a file with faults', { file: 'keys: []\n' }, 'line 1, column 7: keys is empty'],
  ['no token', { token: ' \n' }, 'Give the token on standard input.'],
  ['a catalog that is missing', { args: ['--catalog', '/nowhere.yaml'] }, "Can't read /nowhere.yaml (ENOENT)."],
])('explain ends with 2 for %s', async (_, given, sentence) => {
  const { code, out, err } = await explained(given);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(sentence);
});

test('explain exits with 2 without a file', async () => {
  expect(await call(['access', 'explain'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--file is required'),
  });
});
