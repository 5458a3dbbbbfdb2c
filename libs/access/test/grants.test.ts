import type { SlotGrant } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { matchesAny, noMay, sharedMay } from '../src/grants.ts';
import { outsideOf } from '../src/rules.ts';

test('the shared key may do everything except what needs the control key', () => {
  const all = { services: ['*'], environments: ['*'] };
  expect(sharedMay).toEqual({
    ...{ post: all, hold: all, report: ['*'], state: ['*'] },
    ...{ outage: true, read: true, control: false },
  });
  expect(Object.keys(noMay)).toEqual(Object.keys(sharedMay));
});

test('a name is within globs if one of them matches the whole name, including its case', () => {
  const globs = ['pay-*', 'ledger'];
  expect(matchesAny(globs, 'pay-api')).toBe(true);
  expect(matchesAny(globs, 'ledger')).toBe(true);
  expect(matchesAny(globs, 'Pay-api')).toBe(false);
  expect(matchesAny(globs, 'ledger-2')).toBe(false);
  expect(matchesAny([], 'ledger')).toBe(false);
});

const grant: SlotGrant = { services: ['pay-*'], environments: ['dev', 'staging'] };
test.each<[SlotGrant | null, string, string, string[]]>([
  [grant, 'pay-api', 'dev', []],
  [grant, 'pay-api', 'prod', ['environment']],
  [grant, 'ledger', 'dev', ['service']],
  [grant, 'ledger', 'prod', ['service', 'environment']],
  [null, 'pay-api', 'dev', ['service', 'environment']],
  [{ services: 'own', environments: 'claimed' }, 'own', 'claimed', ['service', 'environment']],
])('%j: %s in %s lacks %j', (granted, service, environment, expected) => {
  expect(outsideOf(granted, { service, environment })).toEqual(expected);
});
