import type { DeploymentEvent, MatrixRow, ReleaseDetail } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { dayTime } from '../src/board/day-time.ts';
import { whereOf } from '../src/releases/answer.ts';
import { presenceOf } from '../src/releases/presence.ts';
import { nowMs, release, row, slot } from './support/a-release.ts';

const inStaging = row('success', 1380, { actor: 'tobias' });
const other = row('success', 60, { version: '4.19.0' });

describe('the answer to "where is the release?"', () => {
  const inProd = (status: DeploymentEvent['status'], minutesAgo = 5) =>
    row(status, minutesAgo, { environment: 'prod' });
  const when = dayTime(Date.parse(inStaging.happened_at), nowMs);
  const both = (staging: DeploymentEvent[], prod: DeploymentEvent[], runsIn: readonly string[]): ReleaseDetail => {
    const rows: Record<string, DeploymentEvent[]> = { staging, prod };
    const places = Object.entries(rows).flatMap(([name, [event]]) =>
      event && ['in-progress', 'success', 'failure'].includes(event.status)
        ? [[name, { event, since: runsIn.includes(name) ? event.happened_at : null, until: null }] as const]
        : [],
    );
    return { ...release([...prod, ...staging], null), runs_in: [...runsIn], places: Object.fromEntries(places) };
  };
  const stagingFailed = row('failure', 60);
  const failed = { current: stagingFailed, last_successful: inStaging };
  test.each<[ReleaseDetail, MatrixRow | undefined, string, string]>([
    [both([inStaging], [], ['staging']), undefined, 'runs', `In staging since ${when}; not in prod`],
    [
      both([inStaging], [inProd('failure')], ['staging']),
      undefined,
      'runs',
      `In staging since ${when}; failed in prod`,
    ],
    [
      both([inStaging], [inProd('in-progress')], ['staging']),
      undefined,
      'runs',
      `In staging since ${when}; arriving in prod`,
    ],
    [
      both([inStaging], [inProd('waiting')], ['staging']),
      undefined,
      'runs',
      `In staging since ${when}; waiting for prod`,
    ],
    [
      both([inStaging], [inProd('success')], ['staging']),
      undefined,
      'runs',
      `In staging since ${when}; no longer in prod`,
    ],
    [
      both([inStaging], [inProd('success')], ['staging', 'prod']),
      undefined,
      'runs',
      `In prod since ${dayTime(nowMs - 5 * 60_000, nowMs)}`,
    ],
    [both([], [inProd('success', -180)], ['prod']), undefined, 'runs', 'In prod, dated 3 h ahead'],
    [
      both([inStaging], [], ['staging']),
      slot(failed),
      'last-success',
      'Perhaps: it was the last success in staging, and 4.18.0 failed 1 h ago, after it',
    ],
    [both([stagingFailed], [], []), undefined, 'failed', 'Nowhere: it failed in staging 1 h ago'],
    [
      both([row('in-progress', 8)], [], []),
      undefined,
      'running',
      'Nowhere yet: its deployment to staging started 8 min ago',
    ],
    [both([inStaging], [], []), undefined, 'was', 'Nowhere: it was in staging before'],
    [both([], [], []), undefined, 'none', 'Nowhere: it was never deployed to prod'],
  ])('case %#', (detail, board, kind, sentence) => {
    const names = ['staging', 'prod'];
    const presences = new Map(names.map((name) => [name, presenceOf(detail, name, board)]));
    const answer = whereOf({ detail, production: ['prod'], presences, nowMs });
    expect([answer?.kind, answer?.sentence]).toEqual([kind, sentence]);
  });

  test("the answer names the actor and production's current release", () => {
    const detail = both([inStaging], [], ['staging']);
    const board = { service: 'checkout-api', slots: { prod: { current: other } } };
    const presences = new Map(['dev', 'staging', 'prod'].map((name) => [name, presenceOf(detail, name, board)]));
    expect(whereOf({ detail, production: ['prod'], presences, nowMs })?.details.map(({ text }) => text)).toEqual([
      'Deployed there by tobias.',
      'Commit 26d88eb0c1d2 is release 4.18.0.',
      'Not in prod: 4.19.0 runs there.',
    ]);
    expect(whereOf({ detail, production: [], presences: new Map(), nowMs })).toBeUndefined();
  });

  test('the answer names each production environment of the service that the release is not in', () => {
    const detail = both([inStaging], [], ['staging']);
    const board = { service: 'checkout-api', slots: { 'prod-eu': { current: other }, 'prod-us': { current: other } } };
    const names = ['staging', 'prod-eu', 'prod-us', 'dr'];
    const presences = new Map(names.map((name) => [name, presenceOf(detail, name, board)]));
    const answer = whereOf({ detail, production: names.slice(1), presences, nowMs });
    expect(answer?.sentence).toMatch(/^In staging since .*; not in prod-eu; not in prod-us$/);
    expect(answer?.details.map(({ text }) => text).slice(-2)).toEqual([
      'Not in prod-eu: 4.19.0 runs there.',
      'Not in prod-us: 4.19.0 runs there.',
    ]);
  });
});
