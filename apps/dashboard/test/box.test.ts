import type { DeploymentEvent, Status } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { type Box, boxOf, isFailing, isRunning } from '../src/board/box.ts';
import { boxSentence, cellSentence } from '../src/board/sentence.ts';
import { anEvent } from './support/an-event.ts';

const success = anEvent();
const failure = anEvent({ status: 'failure' });
const run = anEvent({ status: 'in-progress' });

describe('the state of a box', () => {
  test.each([
    ['success', { current: success }, 'ok', false, false],
    ['running + last successful', { current: run, last_successful: success }, 'run', false, true],
    [
      'running + failed + last successful',
      { current: run, prev_failed: true, last_successful: success },
      'run',
      true,
      true,
    ],
    ['failed + last successful', { current: failure, last_successful: success }, 'bad', false, true],
    ['running', { current: run }, 'run', false, false],
    ['running + failed', { current: run, prev_failed: true }, 'run', true, false],
    ['failed, without a last success', { current: failure }, 'bad', false, false],
  ] as const)('a box shows: %s', (_, slot, tone, warned, hasLast) => {
    const box = boxOf(slot);
    expect(isFailing(box)).toBe(tone === 'bad');
    expect([box.tone, box.warned, box.lastSuccess !== undefined]).toEqual([tone, warned, hasLast]);
  });

  const calledOff = (status: Status, deployment_id = 'gha-1') =>
    anEvent({ id: '9', status, deployment_id, happened_at: '2026-05-04T09:20:00Z' });
  test.each([
    ['was cancelled while it was running', { current: run, next: calledOff('cancelled') }, 'off', false, false],
    ['was rejected while it was running', { current: run, next: calledOff('rejected') }, 'off', false, false],
    [
      'was cancelled during a retry after a failure',
      { current: run, prev_failed: true, next: calledOff('cancelled') },
      'off',
      true,
      false,
    ],
    [
      'runs while another deployment was cancelled',
      { current: run, next: calledOff('cancelled', 'gha-2') },
      'run',
      false,
      true,
    ],
    ['runs and is queued again', { current: run, next: calledOff('queued') }, 'run', false, true],
    ['succeeded and was cancelled afterwards', { current: success, next: calledOff('cancelled') }, 'ok', false, true],
    ['is the first one and waits', calledOff('waiting'), 'wait', false, false],
    ['was rejected before any other', calledOff('rejected'), 'off', false, false],
    ['was cancelled before any other', calledOff('cancelled'), 'off', false, false],
  ] as const)('the box of a deployment that %s', (_, slotState, tone, warned, hasNext) => {
    const box = boxOf(slotState);
    expect([box.tone, box.warned, box.next !== undefined]).toEqual([tone, warned, hasNext]);
    expect(isFailing(box)).toBe(false);
    expect(isRunning(box)).toBe(tone === 'run');
    expect(box.latest.id).toBe(tone === 'off' || tone === 'wait' ? '9' : success.id);
  });

  test.each<[string, DeploymentEvent, DeploymentEvent | undefined, string]>([
    ['a success that hides nothing', success, undefined, 'ok'],
    ['a success that hides a failure', success, failure, 'bad'],
    ['a success that hides a run', success, run, 'run'],
    ['a run that hides a failure', run, failure, 'bad'],
    ['a failure that hides a success', failure, success, 'bad'],
    ['a failure that hides a run', failure, run, 'bad'],
    ['a success that hides a queued deployment', success, calledOff('queued'), 'ok'],
  ])('shows an event dated in the future: %s', (_, current, hidden, tone) => {
    const box = boxOf({ current }, { hidden });
    expect([box.tone, box.isInFuture, box.latest]).toEqual([tone, true, current]);
  });

  test('a box is described in one sentence, during an outage with times instead of ages', () => {
    const nowMs = Date.parse('2026-05-04T10:00:00Z');
    const slot = {
      current: anEvent({ status: 'failure', version: '2.11.0', happened_at: '2026-05-04T09:29:00Z' }),
      last_successful: anEvent({ version: '2.10.7', happened_at: '2026-05-02T09:00:00Z' }),
    };
    expect(cellSentence('order-svc', 'staging', boxOf(slot), { nowMs, isOut: false })).toBe(
      'order-svc in staging: 2.11.0 failed 31 minutes ago; last success 2.10.7, 2 days ago',
    );
    expect(cellSentence('order-svc', 'staging', boxOf(slot), { nowMs, isOut: true })).toMatch(
      /^order-svc in staging: 2\.11\.0 failed \w+ \d\d:\d\d; last success 2\.10\.7, \d May \d\d:00$/,
    );
    expect(cellSentence('order-svc', 'qa', undefined, { nowMs, isOut: false })).toBe('order-svc in qa: never deployed');
    const running = {
      current: anEvent({ status: 'in-progress' as const }),
      prev_failed: true as const,
      next: anEvent({ status: 'queued' as const, version: '3' }),
    };
    expect(cellSentence('a', 'b', boxOf(running), { nowMs: Date.parse(success.happened_at), isOut: false })).toBe(
      'a in b: 1.4.2 started just now; the previous attempt failed; next 3 is queued',
    );
  });

  test.each<[string, Box, string]>([
    [
      'has not been deployed yet',
      boxOf(anEvent({ status: 'queued', happened_at: '2026-05-04T08:00:00Z' })),
      '1.4.2 moved to queued 2 hours ago; first deployment here',
    ],
    [
      'was rejected before any other',
      boxOf(anEvent({ status: 'rejected', happened_at: '2026-05-04T08:00:00Z' })),
      '1.4.2 was rejected 2 hours ago; first deployment here',
    ],
    [
      'was cancelled by an event without a version',
      boxOf({ current: run, next: anEvent({ status: 'cancelled', version: '', happened_at: '2026-05-04T09:50:00Z' }) }),
      '1.4.2 was cancelled 10 minutes ago',
    ],
    [
      'is dated in the future',
      boxOf(
        { current: anEvent({ happened_at: '2026-05-04T13:00:00Z' }) },
        { hidden: anEvent({ version: '1.4.3', status: 'failure', happened_at: '2026-05-04T09:57:00Z' }) },
      ),
      '1.4.2 succeeded dated 3 hours ahead; hides a newer event: 1.4.3 failed 3 minutes ago',
    ],
  ])('the sentence describes a deployment that %s', (_, box, due) => {
    expect(boxSentence(box, { nowMs: Date.parse('2026-05-04T10:00:00Z'), isOut: false })).toBe(due);
  });
});
