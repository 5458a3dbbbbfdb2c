import type { May } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { noMay } from '../src/grants.ts';
import type { Issuer } from '../src/issuer.ts';
import { matchRule, outsideOf, pinnedNames, type Rule, whyOutside } from '../src/rules.ts';
import { issuers } from './tokens.ts';

type Claims = Readonly<Record<string, unknown>>;

const anywhere: May = { ...noMay, post: { services: ['*'], environments: ['*'] } };
const rule = (number: number, claims: Readonly<Record<string, string[]>>, issuer = 'github', may = anywhere): Rule => ({
  ...{ number, issuer, may },
  claims: Object.entries(claims).map(([claim, values]) => ({ claim, values })),
});
const token = (claims: Claims, issuer: Issuer = issuers.github) => ({ issuer, claims });

const acme = {
  ...{ repository: 'acme/payments', repository_id: '7', repository_owner: 'acme', repository_owner_id: '9919' },
  ...{ ref: 'refs/heads/main', event_name: 'push' },
};

test('the first rule of the issuer whose claims match decides', () => {
  const rules = [
    rule(1, { repository_owner: ['acme'] }, 'corp'),
    rule(2, { repository: ['acme/other'] }),
    rule(3, { repository_owner: ['acme'], ref: ['refs/heads/main'] }),
    rule(4, { repository_owner_id: ['9919'] }),
  ];
  expect(matchRule(token(acme), rules)).toEqual({
    rule: rules[2],
    tried: [
      { rule: 2, claim: 'repository', expected: ['acme/other'], found: 'acme/payments' },
      { rule: 3, claim: null, expected: null, found: null },
    ],
  });
});

test('without a matching rule, the first claim that differs is listed for each rule of the issuer', () => {
  const rules = [
    rule(1, { repository_owner: ['acme'], ref: ['refs/heads/main', 'refs/heads/next'], actor: ['x'] }),
    rule(2, { repository_owner: ['acme'], environment: ['prod'] }),
    rule(3, { repository_owner: ['acme'], job: ['a'] }),
  ];
  const found = { ...acme, ref: 'refs/heads/MAIN', job: { a: 1 } };
  expect(matchRule(token(found), rules)).toEqual({
    rule: undefined,
    tried: [
      { rule: 1, claim: 'ref', expected: ['refs/heads/main', 'refs/heads/next'], found: 'refs/heads/MAIN' },
      { rule: 2, claim: 'environment', expected: ['prod'], found: null },
      { rule: 3, claim: 'job', expected: ['a'], found: '{"a":1}' },
    ],
  });
});

describe('how claims compare', () => {
  test.each<[Issuer, string, string, unknown, boolean]>([
    [issuers.github, 'repository', 'Acme/Payments', 'acme/payments', true],
    [issuers.github, 'repository_owner', 'ACME', 'acme', true],
    [issuers.github, 'environment', 'Prod', 'prod', true],
    [issuers.github, 'actor', 'Alice', 'alice', true],
    [issuers.github, 'actor', '\u212aate', 'kate', false],
    [issuers.github, 'ref', 'refs/heads/Main', 'refs/heads/main', false],
    [issuers.github, 'workflow', 'Deploy', 'deploy', false],
    [issuers.corp, 'project_path', 'Acme/Payments', 'acme/payments', false],
    [issuers.corp, 'environment', 'Prod', 'prod', false],
    [issuers.cluster, 'repository', 'Acme/Payments', 'acme/payments', false],
    [issuers.cluster, 'id', '72', 72, true],
    [issuers.cluster, 'id', '1.5', 1.5, true],
    [issuers.cluster, 'ok', 'true', true, true],
    [issuers.cluster, 'ok', 'false', 0, false],
    [issuers.cluster, 'list', 'a', ['a'], false],
    [issuers.cluster, 'object', '[object Object]', {}, false],
    [issuers.cluster, 'nothing', 'null', null, false],
    [issuers.cluster, 'missing', 'undefined', undefined, false],
    [issuers.cluster, 'text', '*', 'anything', false],
    [issuers.cluster, 'text', 'a', 'a ', false],
  ])('%o: %s %j %j %j', (issuer, claim, value, found, expected) => {
    const given = found === undefined ? {} : { [claim]: found };
    const match = matchRule(token(given, issuer), [rule(1, { [claim]: ['other', value] }, issuer.name)]);
    expect(match.rule !== undefined).toBe(expected);
  });

  test.each<[string, string, boolean]>([
    ['/kubernetes.io/namespace', 'ci', true],
    ['/kubernetes.io/pod/name', 'job', true],
    ['/a~1b/c~0d', 'x', true],
    ['/groups/1', 'devs', true],
    ['/groups/length', '2', false],
    ['/kubernetes.io', 'ci', false],
    ['/toString', 'x', false],
    ['kubernetes.io/namespace', 'ci', false],
  ])('the JSON Pointer %s', (claim, value, expected) => {
    const nested = {
      'kubernetes.io': { namespace: 'ci', pod: { name: 'job' } },
      ...{ 'a/b': { 'c~d': 'x' }, groups: ['ops', 'devs'] },
    };
    const { cluster } = issuers;
    const match = matchRule(token(nested, cluster), [rule(1, { [claim]: [value] }, 'cluster')]);
    expect(match.rule !== undefined).toBe(expected);
  });
});

test('a token of pull_request_target matches only a rule that names event_name', () => {
  const found = { ...acme, event_name: 'pull_request_target' };
  const rules = [
    rule(1, { repository_owner_id: ['9919'] }),
    rule(2, { repository: ['acme/payments'], event_name: ['push'] }),
  ];
  expect(matchRule(token(found), rules)).toEqual({
    rule: undefined,
    tried: [
      { rule: 1, claim: 'event_name', expected: [], found: 'pull_request_target' },
      { rule: 2, claim: 'event_name', expected: ['push'], found: 'pull_request_target' },
    ],
  });
  const named = rule(3, { repository_owner_id: ['9919'], event_name: ['pull_request_target'] });
  expect(matchRule(token(found), [...rules, named]).rule).toBe(named);
});

describe('a stranger at a public issuer learns nothing about the rules', () => {
  const rules = [
    rule(1, { repository: ['acme/payments'], ref: ['refs/heads/main'] }),
    rule(2, { repository_id: ['8'] }),
  ];
  const expectedOf = (claims: Claims, issuer: Issuer = issuers.github) =>
    matchRule(token(claims, issuer), rules).tried.map(({ expected }) => expected);

  test.each<[string, Claims, boolean]>([
    ['a stranger', { ...acme, repository: 'evil/payments', repository_owner: 'evil', repository_owner_id: '1' }, false],
    ['the owner, elsewhere', { ...acme, repository: 'acme/other' }, true],
    ['the owner in another case', { ...acme, repository: 'ACME/other', repository_owner: 'ACME' }, true],
    ['no owner', { repository: 'acme/other' }, false],
  ])('%s', (_, claims, isTold) => {
    expect(expectedOf(claims)).toEqual(isTold ? [['acme/payments'], ['8']] : [null, null]);
  });

  test("a company's own issuer discloses them", () => {
    const own = { ...issuers.github, url: 'https://ghes.corp.example/_services/token' };
    expect(expectedOf({ repository: 'else/where' }, own)).toEqual([['acme/payments'], ['8']]);
  });
});

describe('scope', () => {
  const own: May = { ...noMay, post: { services: 'own', environments: 'claimed' } };
  const outside = (claims: Claims, repository: string | null, environment: string, issuer: Issuer = issuers.github) =>
    outsideOf(own.post, { service: 'pay', environment }, { ...token(claims, issuer), repositoryOf: () => repository });

  test.each<[string | null, boolean]>([
    ['https://github.com/acme/payments', true],
    ['https://github.com/acme/payments/', true],
    ['https://github.com/acme/payments.git', true],
    ['http://GitHub.com/Acme/Payments', true],
    ['github.com/acme/payments', true],
    ['https://github.com/acme/payments-2', false],
    ['https://github.com/acme', false],
    ['https://github.com/acme/payments/sub', false],
    ['https://gitlab.com/acme/payments', false],
    ['acme/payments', false],
    ['', false],
    [null, false],
  ])('own with the catalog repository %j', (repository, isOwn) => {
    expect(outside({ ...acme, environment: 'prod' }, repository, 'prod')).toEqual(isOwn ? [] : ['service']);
  });

  test("GitLab's paths are case-sensitive, and its host is not", () => {
    const found = { project_path: 'acme/payments', environment: 'prod' };
    expect(outside(found, 'https://Git.Corp.example/acme/payments', 'prod', issuers.corp)).toEqual([]);
    expect(outside(found, 'https://git.corp.example/Acme/payments', 'prod', issuers.corp)).toEqual(['service']);
  });

  test.each<[unknown, string, Issuer, boolean]>([
    ['prod', 'Prod', issuers.github, true],
    ['prod', 'Prod', issuers.corp, false],
    ['prod', 'staging', issuers.github, false],
    [undefined, 'prod', issuers.github, false],
    [undefined, 'undefined', issuers.github, false],
    [null, 'null', issuers.github, false],
    ['', '', issuers.github, true],
  ])('claimed: a token for %j posts for %s at %o: %j', (claimed, environment, issuer, isInside) => {
    const services: May['post'] = { services: ['*'], environments: 'claimed' };
    const context = { ...token({ environment: claimed }, issuer), repositoryOf: () => null };
    expect(outsideOf(services, { service: 'pay', environment }, context)).toEqual(isInside ? [] : ['environment']);
  });

  test.each<[May['post'], Claims, string | null, Issuer, (string | undefined)[]]>([
    [
      own.post,
      { ...acme, environment: 'dev' },
      'https://github.com/acme/ledger',
      issuers.github,
      [
        'its repository in the catalog is https://github.com/acme/ledger, and the token is from https://github.com/acme/payments',
        'the token names "dev"',
      ],
    ],
    [
      own.post,
      acme,
      null,
      issuers.github,
      [
        'the catalog has no repository for this service, and the token is from https://github.com/acme/payments',
        'the token names no environment',
      ],
    ],
    [own.post, {}, null, issuers.github, ['the token names no repository', 'the token names no environment']],
    [{ services: ['pay-*'], environments: ['dev'] }, acme, null, issuers.github, [undefined, undefined]],
    [null, acme, null, issuers.github, [undefined, undefined]],
  ])('why %j refuses the token %j', (post, claims, repository, issuer, whys) => {
    const context = { ...token(claims, issuer), repositoryOf: () => repository };
    const slot = { service: 'pay', environment: 'prod' };
    expect([whyOutside('service', post, slot, context), whyOutside('environment', post, slot, context)]).toEqual(whys);
  });

  test('without a token, own and claimed cover nothing', () => {
    expect(outsideOf(own.post, { service: 'own', environment: 'claimed' })).toEqual(['service', 'environment']);
  });
});

describe('pins', () => {
  const own: May = { ...noMay, post: { services: 'own', environments: ['*'] } };
  const found = { project_path: 'Acme/pay', project_id: 3, namespace_path: 'Acme', namespace_id: 72 };
  const repository = { issuer: 'github', kind: 'repository', name: 'acme/payments', folded: 'acme/payments', id: '7' };
  const owner = { issuer: 'github', kind: 'owner', name: 'acme', folded: 'acme', id: '9919' };
  const project = { issuer: 'corp', kind: 'repository', name: 'Acme/pay', folded: 'Acme/pay', id: '3' };
  const group = { issuer: 'corp', kind: 'owner', name: 'Acme', folded: 'Acme', id: '72' };

  test.each<[Rule, object[]]>([
    [rule(1, { repository: ['acme/payments'] }), [repository]],
    [rule(1, { repository: ['acme/payments'], repository_id: ['7'] }), []],
    [rule(1, { repository_owner: ['acme'] }), [owner]],
    [rule(1, { repository_owner: ['acme'], repository_owner_id: ['9919'] }), []],
    [rule(1, { repository_owner: ['acme'], repository_id: ['7'] }), [owner]],
    [rule(1, { repository: ['acme/payments'], repository_owner: ['acme'] }), [repository, owner]],
    [rule(1, { repository_owner_id: ['9919'] }), []],
    [rule(1, { repository_owner_id: ['9919'] }, 'github', own), [repository]],
    [rule(1, { repository_id: ['7'] }, 'github', own), []],
  ])('at GitHub: %j', (given, expected) => expect(pinnedNames(token(acme), given)).toEqual(expected));

  test.each<[Rule, object[]]>([
    [rule(1, { project_path: ['Acme/pay'] }, 'corp'), [project]],
    [rule(1, { namespace_path: ['Acme'] }, 'corp'), [group]],
    [rule(1, { namespace_id: ['72'] }, 'corp', own), [project]],
  ])('at GitLab: %j', (given, expected) => expect(pinnedNames(token(found, issuers.corp), given)).toEqual(expected));

  test('a name in another case has the same pin, and an id may be missing', () => {
    const [pin] = pinnedNames(
      token({ ...acme, repository: 'ACME/Payments' }),
      rule(1, { repository: ['acme/payments'] }),
    );
    expect(pin).toEqual({ ...repository, name: 'ACME/Payments' });
    const [lost] = pinnedNames(token({ repository: 'acme/payments' }), rule(1, { repository: ['acme/payments'] }));
    expect(lost).toEqual({ ...repository, id: undefined });
  });
});
