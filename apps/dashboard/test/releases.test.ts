import type { DeploymentEvent, MatrixRow, Release, ReleaseDetail } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { dayTime } from '../src/board/day-time.ts';
import { whereabouts } from '../src/log/whereabouts.ts';
import { answerOf, answerText } from '../src/releases/answer.ts';
import { durationMs } from '../src/releases/happened.tsx';
import { meant, nearest } from '../src/releases/matches.ts';
import { presenceOf } from '../src/releases/presence.ts';
import { nowMs, release, row, slot } from './support/a-release.ts';

const success = row('success', 1380, { actor: 'tobias' });
const since = success.happened_at;
const other = row('success', 60, { version: '4.19.0' });
const otherFailed = row('failure', 60, { version: '4.19.0', actor: 'ines' });
const failure = row('failure', 60, { deployment_id: 'again' });
describe('the answer to "is the release in staging?"', () => {
  test.each<[string, ReleaseDetail, MatrixRow | undefined, string, string]>([
    ['runs', release([success], since), slot({ current: success }), 'runs', 'Yes, it has run in staging for 23 h'],
    [
      'runs, and the board is not loaded yet',
      release([success], since),
      undefined,
      'runs',
      'Yes, it has run in staging for 23 h',
    ],
    [
      'runs while another deployment is running',
      release([success], since),
      slot({ current: row('in-progress', 3, { version: '4.19.0' }), last_successful: success }),
      'runs',
      'Yes, it has run in staging for 23 h',
    ],
    [
      'arrived just now',
      release([row('success', 0)], row('success', 0).happened_at),
      undefined,
      'runs',
      'Yes, it runs in staging, since just now',
    ],
    [
      'is dated in the future',
      release([row('success', -180)], row('success', -180).happened_at),
      undefined,
      'runs',
      'Yes, it runs in staging, dated 3 h ahead',
    ],
    [
      'was followed by a failure of another release',
      release([success], since),
      slot({ current: otherFailed, last_successful: success }),
      'last-success',
      'Perhaps: it was the last success in staging, and 4.19.0 failed 1 h ago, after it',
    ],
    [
      'failed after it had succeeded',
      release([failure, success], since),
      undefined,
      'last-success',
      'Perhaps: it was the last success in staging, and 4.18.0 failed 1 h ago, after it',
    ],
    [
      'was followed by a failed attempt that is being retried',
      release([success], since),
      slot({ current: row('in-progress', 1), last_successful: success, prev_failed: true }),
      'last-success',
      'Perhaps: it was the last success in staging, and an attempt failed after it',
    ],
    [
      'was in staging before',
      release([success], null, other.happened_at),
      slot({ current: other }),
      'was',
      `No, it was in staging until ${dayTime(Date.parse(other.happened_at), nowMs)}`,
    ],
    ['failed', release([failure], null), slot({ current: failure }), 'failed', 'No, it failed in staging 1 h ago'],
    [
      'failed after it had been in staging',
      release([failure, success], null),
      slot({ current: failure, last_successful: other }),
      'failed',
      'No, it failed in staging 1 h ago',
    ],
    [
      'is being deployed',
      release([row('in-progress', 8)], null),
      undefined,
      'running',
      'Not yet: its deployment to staging started 8 min ago',
    ],
    [
      'waits',
      release([row('waiting', 12)], null),
      undefined,
      'waits',
      'Not yet: its deployment to staging has been waiting for 12 min',
    ],
    [
      'is queued',
      release([row('queued', 12)], null),
      undefined,
      'waits',
      'Not yet: its deployment to staging has been queued for 12 min',
    ],
    [
      'was rejected',
      release([row('rejected', 5), row('waiting', 12)], null),
      undefined,
      'called-off',
      'No, its deployment to staging was rejected 5 min ago',
    ],
    [
      'was cancelled while it was running',
      release([row('cancelled', 5), row('in-progress', 12)], null),
      undefined,
      'called-off',
      'No, its deployment to staging was cancelled 5 min ago',
    ],
    [
      'was cancelled while another attempt continues',
      release([row('cancelled', 5, { deployment_id: 'x' }), row('in-progress', 12)], null),
      undefined,
      'running',
      'Not yet: its deployment to staging started 12 min ago',
    ],
    ['was never deployed', release([], null), slot({ current: other }), 'none', 'No, it was never deployed to staging'],
  ])('answers the question about a release that %s', (_, detail, board, kind, sentence) => {
    const presence = presenceOf(detail, 'staging', board);
    const presences = new Map([['staging', presence]]);
    const answer = answerOf({ detail, environment: 'staging', production: [], presences, nowMs });
    expect([answer?.kind, answer?.sentence]).toEqual([kind, sentence]);
  });

  test('the answer includes the time, the actor, the commit and the state in other environments', () => {
    const detail = release([success], since);
    const preprod = row('failure', 90, { environment: 'preprod' });
    const all = { ...detail, places: { ...detail.places, preprod: { event: preprod, since: null, until: null } } };
    const board = { service: 'checkout-api', slots: { staging: { current: success }, prod: { current: other } } };
    const presences = new Map(
      ['dev', 'staging', 'preprod', 'prod'].map((name) => [name, presenceOf(all, name, board)]),
    );
    const asked = { detail: all, production: ['prod'], presences, nowMs };
    const answer = answerOf({ ...asked, environment: 'staging' });
    const when = dayTime(Date.parse(since), nowMs);
    const text = `Since ${when}, by tobias. Commit 26d88eb0c1d2 is release 4.18.0. Not in prod: 4.19.0 runs there. It failed in preprod 1 h ago.`;
    expect(answer?.details.map((detail) => detail.text).join(' ')).toBe(text);
    expect(answer && answerText(all, answer, 'http://shiplog/?release=4.18.0')).toBe(
      `checkout-api 4.18.0: Yes, it has run in staging for 23 h. ${text}\nhttp://shiplog/?release=4.18.0`,
    );
    const inProd = answerOf({ ...asked, environment: 'prod' })?.details.map((detail) => detail.text);
    expect(inProd?.slice(0, 3)).toEqual([
      '4.19.0 runs there.',
      'Commit 26d88eb0c1d2 is release 4.18.0.',
      'It runs in staging.',
    ]);
    expect(answerOf({ ...asked, environment: 'dev' })?.details[0]?.text).toBe('Nothing has succeeded there.');
    expect(answerOf({ ...asked, environment: 'gone' })).toBeUndefined();
  });
});

describe("the release that the user's input selects", () => {
  const items = ['4.18.0', '4.18.0-rc.2', '4.18.0-RC.2'].map((version) => ({ version, sha: null }) as Release);
  const bySha = { version: null, sha: 'abcdef' } as Release;
  test.each<[string, string, Release[], string | undefined]>([
    ['the exact name', '4.18.0', items, '4.18.0'],
    ['the name with the same letter case is preferred', '4.18.0-RC.2', items, '4.18.0-RC.2'],
    ['letter case does not matter otherwise', '4.18.0-rC.2', items.slice(0, 2), '4.18.0-rc.2'],
    ['a part of several names means none', '4.18', items, undefined],
    ['a part of one name', '4.18', items.slice(0, 1), '4.18.0'],
    ['the same name in several services means none', '4.18.0', [...items.slice(0, 1), ...items.slice(0, 1)], undefined],
    ['the commit of a release without a version', 'abcdef', [bySha], 'abcdef'],
    ['nothing', '9', [], undefined],
  ])("selects a release by the user's input: %s", (_, asked, found, due) => {
    const one = meant(asked, found);
    expect(one && (one.version ?? one.sha)).toBe(due);
  });

  test('the names most similar to an unknown name are suggested', () => {
    const names = ['5.0.0', '4.18.0', '4.17.2', '4.18.0-rc.1', '4.19.8'];
    expect(nearest('4.18.9', names, (name) => name)).toEqual(['4.18.0', '4.17.2', '4.19.8']);
    expect(nearest('x'.repeat(10_000), [], String)).toEqual([]);
  });
});

test('the state of a release is described in a few words', () => {
  const place = (status: DeploymentEvent['status'], at: string | null = null) => ({
    event: row(status, 1),
    since: at,
    until: null,
  });
  expect(
    whereabouts({
      runs_in: ['qa', 'staging'],
      places: {
        qa: place('success', since),
        dev: place('success'),
        preprod: place('failure'),
        prod: place('in-progress'),
      },
    }),
  ).toBe('runs in qa, staging; on its way into prod; failed in preprod; was in dev');
  expect(whereabouts({ runs_in: [], places: {} })).toBe('nowhere yet');
});

test("a deployment's duration starts when it runs; a wait ends with the next event", () => {
  const waiting = row('waiting', 23);
  const running = row('in-progress', 11);
  const ended = row('success', 0);
  const events = [ended, running, row('queued', 12, { environment: 'prod' }), waiting];
  expect([ended, running, waiting].map((event) => durationMs(event, events))).toEqual([660_000, undefined, 720_000]);
  expect(durationMs(ended, [ended])).toBeUndefined();
});
