import type { DeploymentEvent, Status } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { type Attention, type AttentionKind, hiddenKey, isRecent } from '../src/board/attention.ts';
import {
  attentionHeadline,
  attentionSentence,
  detailOf,
  inPart,
  partCounts,
  problemText,
  shortProblem,
  usualText,
  versionIn,
} from '../src/board/attention-words.ts';
import { boxOf } from '../src/board/box.ts';
import { anEvent } from './support/an-event.ts';

const nowMs = Date.parse('2026-05-04T12:00:00Z');
const ages = { nowMs, isOut: false };
const minutesAgo = (minutes: number) => nowMs - minutes * 60_000;
const event = (status: Status, minutes: number, more: Partial<DeploymentEvent> = {}) =>
  anEvent({ status, happened_at: new Date(minutesAgo(minutes)).toISOString(), ...more });

function item(kind: AttentionKind, more: Partial<Attention> = {}): Attention {
  const place = kind === 'silent' ? undefined : 'qa';
  const common = { box: undefined, isProduction: false, usualMinutes: undefined, sinceMs: minutesAgo(41) };
  return { kind, service: 'api', environment: place, ...common, ...more };
}

const failed = boxOf({ current: event('failure', 41), last_successful: event('success', 90, { version: '1.4.0' }) });
const running = boxOf({ current: event('in-progress', 41, { actor: 'ines' }) });

test.each<[Attention, string, RegExp]>([
  [item('failed', { box: failed }), 'failed 41 min ago', /^last success 1\.4\.0, 1 h$/],
  [item('failed', { box: boxOf({ current: event('failure', 1) }) }), 'failed 41 min ago', /^no earlier success$/],
  [item('stuck', { box: running, usualMinutes: 4 }), 'stuck 41 min, usually 4 min', /^no update since \d\d:\d\d$/],
  [item('slow', { box: running, usualMinutes: 0.05 }), 'slow 41 min, usually a moment', /^started .* by ines$/],
  [item('waits', { box: boxOf(event('queued', 41)) }), 'first deployment waits, 41 min', /^queued since/],
  [
    item('waits', { box: boxOf({ current: event('success', 90), next: event('waiting', 41) }) }),
    'waits for approval, 41 min',
    /^waiting since/,
  ],
  [item('ahead', { sinceMs: minutesAgo(-98), box: failed }), 'clock 2 h ahead', /^hides newer events until/],
  [item('silent', { usualMinutes: 40 }), 'silent for 41 min', /^usually one every 40 min$/],
])('an attention item states the problem and a detail (%#)', (attention, matter, detail) => {
  expect(problemText(attention, ages)).toBe(matter);
  expect(detailOf(attention, ages)).toMatch(detail);
  // While the service is unreachable, an age would imply that nothing has happened since. A future date is still shown.
  const outage = { nowMs, isOut: true };
  expect(problemText(attention, outage)).toMatch(attention.kind === 'ahead' ? matter : / since \d\d:\d\d/);
  expect(detailOf(attention, outage)).not.toMatch(/^last success .* h$/);
});

test.each([
  [0.05, 'usually a moment'],
  [0.7, 'usually 42 s'],
  [3.6, 'usually 4 min'],
  [100, 'usually 100 min'],
  [160, 'usually 3 h'],
  [2900, 'usually 2 d'],
])('a usual time of %d minutes is rounded to the nearest unit', (minutes, due) => {
  expect(usualText(minutes)).toBe(due);
});

test('the sentence about an item is complete, including the version', () => {
  expect(attentionSentence(item('failed', { box: failed }), ages)).toBe(
    'api in qa: 1.4.2 failed 41 minutes ago; last success 1.4.0, 1 hour ago',
  );
  expect(attentionSentence(item('slow', { box: running, usualMinutes: 9 }), ages)).toMatch(
    /^api in qa: 1\.4\.2 slow 41 min, usually 9 min; started \d\d:\d\d by ines$/,
  );
  expect(attentionSentence(item('silent', { service: '' }), ages)).toBe(
    'Reporter without a name: silent for 41 min; no events in 24 h',
  );
  const hiding = boxOf({ current: event('success', -90) }, { hidden: event('failure', 1, { id: '9', version: '2' }) });
  expect(versionIn(item('failed', { box: hiding }))).toBe('2');
});

test('the headline counts services, and the counts mention “elsewhere” only next to production', () => {
  const production = item('failed', { isProduction: true, environment: 'prod' });
  const elsewhere = item('failed', { service: 'web' });
  const all = [production, elsewhere, item('failed'), item('waits'), item('silent', { service: 'ci' })];
  const texts = partCounts(all).map(({ text }) => text);
  expect(texts).toEqual(['1 failed in production', '2 failed elsewhere', '1 waiting', '1 reporter silent']);
  expect(partCounts(all.slice(1, 3)).map(({ text }) => text)).toEqual(['2 failed']);
  expect(inPart(all, 'failed')).toHaveLength(2);
  expect([[], [production], all, [item('silent')]].map((items) => attentionHeadline(items))).toEqual([
    'Nothing needs attention',
    '1 service needs attention',
    '2 services need attention',
    '1 reporter silent',
  ]);
  expect(attentionHeadline([], true)).toBe('Nothing new needs attention');
});

test.each([
  [item('failed', { box: failed }), 'failed 41 min'],
  [item('stuck', { box: running, usualMinutes: 4 }), 'stuck 41 min'],
  [item('waits', { box: boxOf(event('queued', 41)) }), 'waiting 41 min'],
])('a narrow item states only the problem (%#)', (attention, due) => {
  expect(shortProblem(attention, ages)).toBe(due);
});

test('an item is new for a day, and hidden until its event changes', () => {
  const day = 24 * 60;
  expect([day - 1, day].map((minutes) => isRecent(item('failed', { sinceMs: minutesAgo(minutes) }), nowMs))).toEqual([
    true,
    false,
  ]);
  const again = boxOf({ current: event('failure', 2, { id: '77' }) });
  const keys = [failed, failed, again].map((box) => hiddenKey(item('failed', { box })));
  expect(keys[0]).toBe(keys[1]);
  expect(keys[2]).not.toBe(keys[0]);
});
