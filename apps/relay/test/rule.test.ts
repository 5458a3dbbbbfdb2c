import { compilePatterns } from '@shiplog/component';
import { type DeploymentEvent, type Status, statuses } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { endStatuses, type Facts, matchesRules, matchesStuck, type Rule, type When } from '../src/domain/rule.ts';
import { stored } from './support/events.ts';

interface Known {
  readonly team?: string;
  readonly stage?: string;
  readonly recovery?: boolean;
  readonly first?: boolean;
}

const facts = (known: Known = {}): Facts => ({
  team: async () => known.team ?? '',
  isInStage: async (names) => names.includes(known.stage ?? ''),
  isRecovery: async () => known.recovery ?? false,
  isFirst: async () => known.first ?? false,
});

const rule = (match: Readonly<Record<string, string>>, ...when: readonly When[]): Rule => ({
  ...Object.fromEntries(Object.entries(match).map(([name, glob]) => [name, compilePatterns([glob])])),
  when: when.length > 0 ? when : ['every'],
});

/** A rule for the stage live, without prod-us. */
const live: Rule = { ...rule({}), stages: { names: ['live'], allowed: compilePatterns(['**', '!prod-us']) } };
const payments: Partial<DeploymentEvent> = { service: 'pay-api', environment: 'prod' };

test.each<[string, Rule, Partial<DeploymentEvent>, Parameters<typeof facts>[0], boolean]>([
  ['everything', rule({}), {}, {}, true],
  ['a service that matches a glob', rule({ services: 'pay-*' }), payments, {}, true],
  ['a service with different letter case', rule({ services: 'PAY-*' }), payments, {}, true],
  ['another service', rule({ services: 'shop-*' }), payments, {}, false],
  ['a service and an environment', rule({ services: 'pay-*', environments: 'prod' }), payments, {}, true],
  ['the service in another environment', rule({ services: 'pay-*', environments: 'dev' }), payments, {}, false],
  ['the team of the service', rule({ teams: 'core' }), payments, { team: 'core' }, true],
  ['another team', rule({ teams: 'core' }), payments, { team: 'web' }, false],
  ['a service without a team', rule({ teams: 'core' }), payments, {}, false],
  ['an environment of a stage', live, payments, { stage: 'live' }, true],
  ['an environment of another stage', live, payments, { stage: 'early' }, false],
  ['an excluded environment of a stage', live, { environment: 'prod-us' }, { stage: 'live' }, false],
  ['a pattern next to a stage', { ...live, ...rule({ environments: 'pr*' }) }, payments, {}, true],
  ['a failure', rule({}, 'failure'), { status: 'failure' }, {}, true],
  ['a success if the rule is for failures', rule({}, 'failure'), {}, {}, false],
  ['a recovery', rule({}, 'recovery'), {}, { recovery: true }, true],
  ['a success without an earlier failure', rule({}, 'recovery'), {}, {}, false],
  ['a failure after a failure', rule({}, 'recovery'), { status: 'failure' }, { recovery: true }, false],
  ['a first arrival', rule({}, 'first'), {}, { first: true }, true],
  ['a second arrival', rule({}, 'first'), {}, {}, false],
  ['a failure of a release that never arrived', rule({}, 'first'), { status: 'failure' }, { first: true }, false],
  ['one of several patterns', rule({}, 'failure', 'recovery'), {}, { recovery: true }, true],
  [
    'a row that is not stuck if the rule is for stuck deployments',
    rule({}, 'stuck'),
    { status: 'in-progress' },
    {},
    false,
  ],
])('decides whether a rule matches: %s', async (_, one, event, known, told) => {
  expect(await matchesRules([one], stored(event), endStatuses, facts(known))).toBe(told);
});

test('a rule that does not match leaves the decision to the other rules', async () => {
  const rules = [rule({ services: 'shop' }), rule({ environments: 'staging' })];
  expect(await matchesRules(rules, stored(), endStatuses, facts())).toBe(true);
  expect(await matchesRules([], stored(), endStatuses, facts())).toBe(false);
});

test('a rule without statuses uses the default statuses of its target', async () => {
  const toldOf = async (one: Rule, told: readonly Status[]) => {
    const answers = await Promise.all(statuses.map((status) => matchesRules([one], stored({ status }), told, facts())));
    return statuses.filter((_, at) => answers[at]);
  };
  expect(await toldOf(rule({}), endStatuses)).toEqual(['success', 'failure', 'cancelled', 'rejected']);
  expect(await toldOf(rule({}), statuses)).toEqual(statuses);
  expect(await toldOf({ ...rule({}), statuses: ['in-progress'] }, endStatuses)).toEqual(['in-progress']);
});

test('the log and the catalog are queried only if a rule needs them', async () => {
  const never = async () => Promise.reject(new Error('was requested'));
  const unasked: Facts = { team: never, isInStage: never, isRecovery: never, isFirst: never };
  const rules = [
    { ...live, ...rule({ services: 'other' }) },
    rule({ services: 'other', teams: 'core' }, 'recovery'),
    rule({}, 'failure', 'first'),
  ];
  expect(await matchesRules(rules, stored({ status: 'failure' }), endStatuses, unasked)).toBe(true);
});

test.each<[string, Rule, boolean]>([
  ['a rule for stuck deployments', rule({}, 'stuck'), true],
  ['a rule for other services', rule({ services: 'other' }, 'stuck'), false],
  ['a rule for everything', rule({}), false],
  ['a rule for another status', { ...rule({}, 'stuck'), statuses: ['queued'] }, false],
])('a stuck deployment matches %s: %j', async (_, one, told) => {
  expect(await matchesStuck([one], stored({ status: 'in-progress' }), facts())).toBe(told);
});
