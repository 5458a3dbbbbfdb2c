import { SettingsError } from '@shiplog/server/settings';
import { expect, test } from 'vitest';
import { parseAccessFile } from '../src/access-file.ts';
import { noMay } from '../src/grants.ts';

const context = { hasCatalog: true, publicUrl: 'https://shiplog.example' };
const path = '/etc/shiplog/access.yaml';
const parse = (text: string, given: Partial<typeof context> | { publicUrl: undefined } = {}) =>
  parseAccessFile(text, path, { ...context, ...given });

/** The faults of a file, without its path. */
function faultsOf(...args: Parameters<typeof parse>): string[] {
  try {
    parse(...args);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    const lines = (error as Error).message.split('\n');
    for (const line of lines) expect(line).toMatch(/^\/etc\/shiplog\/access\.yaml, line \d+, column \d+: .+\.$/);
    return lines.map((line) => line.replace(`${path}, `, ''));
  }
  return [];
}

const digest = '5f2c'.repeat(16);
const example = `
shared_key: on
keys:
  - id: k7f3q2xa
    name: jenkins-payments
    sha256: ${digest.toUpperCase()}
    expires: 2027-06-30
    may:
      post: { services: ["pay-*"], environments: ["*"] }
      report: ["dashboard-fetcher"]
      state: ["github-*"]
      hold: { services: ["*"], environments: ["staging"] }
      outage: true
      read: true
      control: true
issuers:
  - { name: github, kind: github }
  - { name: corp, kind: gitlab, issuer: https://git.corp.example, ca_file: corp-ca.pem }
  - { name: cluster, kind: generic, issuer: https://k8s.corp.example, jwks_file: /etc/jwks.json, audience: shiplog }
pipelines:
  - { issuer: github, claims: { repository_owner_id: "9919" }, may: { services: own, environments: claimed } }
  - { issuer: corp, claims: { namespace_id: [72, "73"], ref_protected: true }, may: { services: ["*"], environments: [dev, staging], read: true } }
  - { issuer: cluster, claims: { /kubernetes.io/namespace: ci }, may: { services: ["*"], environments: ["*"], outage: on } }
`;

test('the example of the specification', () => {
  const common = { jwksFile: undefined, caFile: undefined };
  expect(parse(example)).toEqual({
    sharedKey: true,
    keys: [
      {
        id: 'k7f3q2xa',
        name: 'jenkins-payments',
        sha256: digest,
        expires: Date.UTC(2027, 5, 30),
        may: {
          post: { services: ['pay-*'], environments: ['*'] },
          hold: { services: ['*'], environments: ['staging'] },
          report: ['dashboard-fetcher'],
          state: ['github-*'],
          ...{ outage: true, read: true, control: true },
        },
      },
    ],
    issuers: [
      {
        ...common,
        ...{ name: 'github', kind: 'github', url: 'https://token.actions.githubusercontent.com' },
        ...{ audience: context.publicUrl, serverUrl: 'https://github.com' },
      },
      {
        ...common,
        ...{ name: 'corp', kind: 'gitlab', url: 'https://git.corp.example', serverUrl: 'https://git.corp.example' },
        ...{ audience: context.publicUrl, caFile: '/etc/shiplog/corp-ca.pem' },
      },
      {
        ...common,
        ...{ name: 'cluster', kind: 'generic', url: 'https://k8s.corp.example', serverUrl: undefined },
        ...{ audience: 'shiplog', jwksFile: '/etc/jwks.json' },
      },
    ],
    rules: [
      {
        ...{ number: 1, issuer: 'github', claims: [{ claim: 'repository_owner_id', values: ['9919'] }] },
        may: { ...noMay, post: { services: 'own', environments: 'claimed' } },
      },
      {
        ...{ number: 2, issuer: 'corp' },
        claims: [
          { claim: 'namespace_id', values: ['72', '73'] },
          { claim: 'ref_protected', values: ['true'] },
        ],
        may: { ...noMay, post: { services: ['*'], environments: ['dev', 'staging'] }, read: true },
      },
      {
        ...{ number: 3, issuer: 'cluster', claims: [{ claim: '/kubernetes.io/namespace', values: ['ci'] }] },
        may: { ...noMay, post: { services: ['*'], environments: ['*'] }, outage: true },
      },
    ],
  });
});

test.each([
  ['{}', true],
  ['shared_key: off', false],
  ['shared_key: false', false],
  ['{"shared_key": "on"}', true],
  ['shared_key: true', true],
])('%s', (text, sharedKey) => {
  expect(parse(text)).toEqual({ sharedKey, keys: [], issuers: [], rules: [] });
});

const key = (change = '', may = '{ read: true }') =>
  `keys:\n  - { id: k7f3q2xa, name: a, sha256: "${digest}", may: ${may}${change} }`;
const issuer = (members: string) => `issuers:\n  - { ${members} }`;
const rule = (claims: string, may = '{ services: ["*"], environments: ["*"] }', at = 'kind: github') =>
  `issuers:\n  - { name: ci, ${at} }\npipelines:\n  - issuer: ci\n    claims: ${claims}\n    may: ${may}`;

test.each<[string, string | RegExp]>([
  ['', 'must be an object'],
  ['# only a comment\n', 'must be an object'],
  ['[]', 'must be an object'],
  ['{}\n---\n{}', 'second document'],
  ['shared_key: yes', 'shared_key must be on or off'],
  ['sharedkey: on', 'known names: shared_key'],
  ['shared_key: on\nshared_key: off', 'appears twice'],
  ['keys: []', 'keys is empty'],
  ['keys: x', 'keys must be a list'],
  ['keys:', 'keys must be a list'],
  ['keys: [{}]', 'needs "id"'],
  [key(', extra: 1'), 'extra is not known here'],
  [key('', '{ reed: true }'), 'reed is not known here'],
  [key('', '{ read: yes }'), 'read must be on or off'],
  [key('', '{ post: { services: ["*"] } }'), 'post needs "environments"'],
  [key('', '{ hold: { environments: ["*"] } }'), 'hold needs "services"'],
  [key('', '{ post: { services: [], environments: ["*"] } }'), 'services is empty'],
  [key('', '{ post: { services: own, environments: ["*"] } }'), 'services must be a list'],
  [key('', '{ report: [] }'), 'report is empty'],
  [key('', '{ state: "github-*" }'), 'state must be a list'],
  [key('', '{ report: ["a\\\\"] }'), 'bare backslash'],
  [key('', '{ report: [""] }'), 'is empty'],
  [key('', `{ report: ["${'a'.repeat(129)}"] }`), 'at most 128 characters'],
  [key(', expires: soon'), /expires must be a date/],
  [key(', expires: 2027-02-30'), 'does not exist'],
  [key(', expires: 2027'), 'must be text'],
  ['keys: [{ id: K7F3Q2XA, name: a, sha256: x, may: {} }]', '8 characters'],
  ['keys: [{ id: k7f3q2xa, name: a, sha256: 12ab, may: {} }]', '64 hexadecimal digits'],
  ['keys: [{ id: 12345678, name: a, sha256: x, may: {} }]', 'id must be text; quote it'],
  [`keys: [{ id: k7f3q2xa, name: ${'n'.repeat(65)}, sha256: x, may: {} }]`, '1 to 64 characters'],
  [`keys: [{ id: k7f3q2xa, name: "", sha256: x, may: {} }]`, 'name is empty'],
  [`${key()}\n  - { id: k7f3q2xa, name: b, sha256: "${'a'.repeat(64)}", may: {} }`, 'is the id of two keys'],
  [`${key()}\n  - { id: k7f3q2xb, name: b, sha256: "${digest.toUpperCase()}", may: {} }`, 'is the digest of two keys'],
  ['keys: &all [*all]', 'is an alias'],
  ['keys: [{ id: *other }]', 'is an alias'],
  [issuer('name: Corp, kind: github'), '1 to 32 characters'],
  [issuer(`name: ${'a'.repeat(33)}, kind: github`), '1 to 32 characters'],
  [issuer('kind: github'), 'needs "name"'],
  [issuer('name: ci'), 'needs "kind"'],
  [issuer('name: ci, kind: jenkins'), 'kind must be one of github, gitlab, generic'],
  [issuer('name: ci, kind: generic'), 'needs "issuer"'],
  [issuer('name: ci, kind: gitlab, issuer: http://git.example'), 'http is allowed only on this machine'],
  [issuer('name: ci, kind: gitlab, issuer: http://127.0.0.1.example'), 'http is allowed only on this machine'],
  [issuer('name: ci, kind: gitlab, issuer: git.example'), 'must be an https URL'],
  [issuer('name: ci, kind: gitlab, issuer: "https://git.example/?a=b"'), 'without query and password'],
  [issuer('name: ci, kind: gitlab, issuer: https://me@git.example'), 'without query and password'],
  [issuer('name: ci, kind: gitlab, server_url: "file:///"'), 'server_url must be an https URL'],
  [issuer('name: ci, kind: gitlab, audience: ""'), 'audience is empty'],
  [issuer('name: ci, kind: gitlab, url: https://git.example'), 'url is not known here'],
  [`${issuer('name: ci, kind: github')}\n  - { name: ci, kind: gitlab }`, 'is the name of two issuers'],
  [
    `${issuer('name: a, kind: gitlab')}\n  - { name: b, kind: generic, issuer: https://GITLAB.com/ }`,
    'which is listed twice',
  ],
  [
    'pipelines: [{ issuer: ci, may: { services: ["*"], environments: ["*"] } }]',
    'names "ci", an issuer that is not listed',
  ],
  ['pipelines: []', 'pipelines is empty'],
  [rule('{ repository: a/b, sub: x }'), 'sub must not be used'],
  [rule('{ repository: a/b, /sub: x }'), 'must not be used'],
  [rule('{ ref: refs/heads/main }'), 'must name one of repository_id, repository, '],
  [rule('{ project_id: "1" }'), 'must name one of repository_id'],
  [
    rule('{ repository_id: "1" }', '{ services: ["*"], environments: ["*"] }', 'kind: gitlab'),
    'project_id, project_path',
  ],
  [
    rule('{ sub: "1" }', undefined, 'kind: generic, issuer: https://gitlab.com/'),
    'must name one of project_id, project_path',
  ],
  [rule('{}', undefined, 'kind: generic, issuer: https://k8s.example'), 'must name at least one claim'],
  [rule('{ repository: a/* }'), 'has a *'],
  [rule('{ repository: [] }'), 'is empty; list a value'],
  [rule('{ repository: "" }'), 'is empty'],
  [rule('{ repository: }'), 'must be text'],
  [rule('{ repository: [a/b, ""] }'), 'is empty'],
  [rule('{ repository: [[a/b]] }'), 'must be text'],
  [rule('{ repository_id: 9007199254740993 }'), 'beyond 2^53'],
  [rule('{ repository_id: 99999999999999999999 }'), 'beyond 2^53'],
  [rule('{ repository_id: .inf }'), 'must be text, a number'],
  [rule('{ repository: a/b, /a~2: x }'), 'is not a JSON Pointer'],
  [rule('{ 1: x, repository: a/b }'), "has a name that isn't text"],
  [rule('{ repository: a/b }', '{ services: own }'), 'needs "environments"'],
  [rule('{ repository: a/b }', '{ environments: claimed }'), 'needs "services"'],
  [rule('{ repository: a/b }', '{ services: [], environments: ["*"] }'), 'is empty'],
  [rule('{ repository: a/b }', '{ services: claimed, environments: ["*"] }'), 'must be a list of globs, or own'],
  [rule('{ repository: a/b }', '{ services: own, environments: own }'), 'must be a list of globs, or claimed'],
  [rule('{ repository: a/b }', '{ services: own, environments: claimed, control: on }'), 'control is not known here'],
  [
    rule('{ a: b }', '{ services: own, environments: ["*"] }', 'kind: generic, issuer: https://k8s.example'),
    'a generic issuer names no repository',
  ],
  [
    rule('{ a: b }', '{ services: own, environments: ["*"] }', 'kind: github, issuer: https://ci.example/odd'),
    'give the issuer ci a server_url',
  ],
])('a fault: %s', (text, expected) => {
  const faults = faultsOf(text).join('\n');
  if (typeof expected === 'string') expect(faults).toContain(expected);
  else expect(faults).toMatch(expected);
});

test('every fault has its own line with its position', () => {
  expect(faultsOf('shared_key: maybe\nkeys:\n  - id: x\n    name: a\n    may: {}\n')).toEqual([
    'line 1, column 13: shared_key must be on or off.',
    'line 3, column 5: keys[0] needs "sha256".',
    'line 3, column 9: keys[0].id must have 8 characters of a to z and 0 to 9.',
  ]);
});

test('own needs a catalog, and an issuer without audience needs PUBLIC_URL', () => {
  const own = rule('{ repository: a/b }', '{ services: own, environments: claimed }');
  expect(faultsOf(own)).toEqual([]);
  expect(faultsOf(own, { hasCatalog: false })).toEqual([expect.stringContaining('CATALOG_FILE is not set')]);
  expect(faultsOf(own, { publicUrl: undefined })).toEqual([expect.stringContaining('PUBLIC_URL is not set')]);
  expect(faultsOf(issuer('name: ci, kind: github, audience: mine'), { publicUrl: undefined })).toEqual([]);
});

test.each([
  ['github', 'https://token.actions.githubusercontent.com', 'https://github.com'],
  ['github', 'https://ghes.example/_services/token', 'https://ghes.example'],
  ['github', 'https://token.actions.acme.ghe.com', 'https://acme.ghe.com'],
  ['github', 'http://127.0.0.1:8090/_services/token', 'http://127.0.0.1:8090'],
  ['github', 'https://odd.example/token', undefined],
  ['gitlab', 'https://gitlab.com', 'https://gitlab.com'],
  ['gitlab', 'http://localhost:8090', 'http://localhost:8090'],
  ['gitlab', 'https://git.example/gitlab', 'https://git.example/gitlab'],
  ['generic', 'https://k8s.example', undefined],
])('the server of %s at %s is %s', (kind, url, server) => {
  const at = (more = '') => parse(issuer(`name: ci, kind: ${kind}, issuer: "${url}"${more}`)).issuers[0];
  expect(at()?.serverUrl).toBe(server);
  expect(at(', server_url: https://elsewhere.example/')?.serverUrl).toBe('https://elsewhere.example');
});

test.each([
  ['"a b"', ['a b']],
  ['[9919, true, "007"]', ['9919', 'true', '007']],
  ['9007199254740992', ['9007199254740992']],
  ['1.50', ['1.5']],
])('the claim value %s', (value, expected) => {
  expect(parse(rule(`{ repository_id: ${value} }`)).rules[0]?.claims).toEqual([
    { claim: 'repository_id', values: expected },
  ]);
});

test('a key without may grants nothing', () => {
  expect(parse(`keys: [{ id: abcdefgh, name: n, sha256: ${digest} }]`).keys).toMatchObject([{ may: noMay }]);
});

test('a rule of an issuer that is neither public nor generic needs no claims', () => {
  const at = 'kind: gitlab, issuer: https://git.example';
  expect(parse(rule('{}', undefined, at)).rules[0]?.claims).toEqual([]);
  const without = rule('{}', undefined, at).replace('    claims: {}\n', '');
  expect(parse(without).rules[0]?.claims).toEqual([]);
});
