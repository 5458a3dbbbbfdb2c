import type { Release } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { narrowsReleases, releaseMatches } from '../src/releases/releases-view.tsx';
import { home } from '../src/state/address.ts';
import { anEvent } from './support/an-event.ts';

describe('a release in the list matches', () => {
  const listed: Release = {
    service: 'checkout-api',
    version: '4.18.0',
    sha: 'ABCD12',
    ref: null,
    actor: null,
    first_at: '',
    last_at: '',
    runs_in: [],
    places: { staging: { event: anEvent({ status: 'failure' }), since: null, until: null } },
  };
  const noOwnership = { items: new Map(), favourites: { services: [], teams: [] } };
  test.each<[string, Partial<typeof home.filter>, boolean]>([
    ['no filter', {}, true],
    ['its service', { services: ['checkout-*'] }, true],
    ['another service', { services: ['orders'] }, false],
    ['a team', { teams: ['Orders'] }, false],
    ['an environment it was in', { environments: ['stag*'] }, true],
    ['an environment it was not in', { environments: ['prod'] }, false],
    ['part of its version', { text: '18.0' }, true],
    ['part of its commit', { text: 'bcd' }, true],
    ['another text', { text: 'nothing' }, false],
    ['failed releases', { only: 'failed' }, true],
    ['running releases', { only: 'running' }, false],
    ['releases that are behind', { only: 'behind' }, true],
  ])('the list of releases is filtered by %s', (_, change, due) => {
    expect(releaseMatches({ ...home.filter, ...change }, listed, noOwnership)).toBe(due);
    if (!due) expect(narrowsReleases({ ...home.filter, ...change })).toBe(true);
  });

  test('without filters, all releases are listed', () => {
    expect(narrowsReleases(home.filter)).toBe(false);
  });
});
