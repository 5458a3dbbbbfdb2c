import type { CatalogItem, DeploymentEvent } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { boardOf } from '../src/board/board.ts';
import type { Ownership } from '../src/board/ownership.ts';
import { changesBetween } from '../src/compare/changes.ts';
import { changesCsv, changesText } from '../src/compare/changes-text.ts';
import { anEvent } from './support/an-event.ts';

type Slot = { current: DeploymentEvent; last_successful?: DeploymentEvent };

let ids = 0;
function event(version: string, status: DeploymentEvent['status'], minute: number, actor = 'ines'): DeploymentEvent {
  ids += 1;
  const happened_at = `2026-05-04T10:${String(minute).padStart(2, '0')}:00Z`;
  return anEvent({ id: `id-${ids}`, version, status, happened_at, actor, deployment_id: `d-${ids}` });
}

const one = event('1.0', 'success', 1);
const two = event('2.0', 'success', 20);
const oneAgain = event('1.0', 'success', 21);
const failed = event('2.0', 'failure', 22);
const running = event('3.0', 'in-progress', 23);
const waiting = event('3.0', 'waiting', 24);

function changeOf(then: Slot | undefined, now: Slot) {
  const board = (slot: Slot | undefined) =>
    boardOf({ environments: ['prod'], rows: slot ? [{ service: 's', slots: { prod: slot } }] : [] });
  return changesBetween(board(then), board(now), () => true, new Map())[0];
}

describe('how a slot changed between two boards', () => {
  test.each<[string, Slot | undefined, Slot, string | undefined, string, string]>([
    ['another release', { current: one }, { current: two }, 'replaced', '1.0 → 2.0', ''],
    ['nothing before', undefined, { current: one }, 'first', 'undefined → 1.0', ''],
    ['no success before', { current: failed }, { current: oneAgain }, 'first', 'undefined → 1.0', ''],
    ['a failure since', { current: one }, { current: failed, last_successful: one }, 'failed', '1.0 → 1.0', '2.0'],
    [
      'another release that is followed by a failure',
      { current: one },
      { current: running, last_successful: two },
      'replaced',
      '1.0 → 2.0',
      '3.0',
    ],
    [
      'a release that is arriving',
      { current: one },
      { current: running, last_successful: one },
      'arriving',
      '1.0 → 1.0',
      '3.0',
    ],
    [
      'the same failure on both boards',
      { current: failed, last_successful: one },
      { current: failed, last_successful: one },
      'same',
      '1.0 → 1.0',
      '2.0',
    ],
    ['the same release deployed again', { current: one }, { current: oneAgain }, 'again', '1.0 → 1.0', ''],
    ['nothing', { current: one }, { current: one }, 'same', '1.0 → 1.0', ''],
  ])('recognizes how a slot changed: %s', (_, then, now, kind, releases, attempt) => {
    const change = changeOf(then, now);
    expect([change?.kind, `${change?.before?.version} → ${change?.after?.version}`]).toEqual([kind, releases]);
    expect(change?.attempt?.version ?? '').toBe(attempt);
  });

  test("a pending first deployment isn't a change", () => {
    const now = boardOf({ environments: ['prod'], rows: [{ service: 's', slots: {}, upcoming: { prod: waiting } }] });
    expect(changesBetween(boardOf({ environments: [], rows: [] }), now, () => true, new Map())).toEqual([]);
  });
});

const item = (service: string, team: string): [string, CatalogItem] => [
  service,
  { service, team, owner: null, repository: `https://github.com/acme/${service}`, runbook: null, tags: [] },
];
const ownership: Ownership = {
  items: new Map([item('a', 'A'), item('b', 'B')]),
  favourites: { services: [], teams: [] },
};

describe('the text of the changes', () => {
  const row = (service: string, slots: Record<string, Slot>) => ({ service, slots });
  const then = boardOf({
    environments: ['prod', 'qa'],
    rows: [row('a', { prod: { current: one } }), row('b', { prod: { current: one }, qa: { current: one } })],
  });
  const now = boardOf({
    environments: ['prod', 'qa'],
    rows: [
      row('=a', { prod: { current: running } }),
      row('a', { prod: { current: two } }),
      row('b', { prod: { current: failed, last_successful: one }, qa: { current: one } }),
    ],
  });
  const changes = changesBetween(then, now, () => true, new Map());
  const told = { changes, ownership, earlier: '2026-05-04T10:05:00Z', at: '2026-05-04T11:00:00Z' };

  test('the Markdown lists changes by team, latest first, and counts the others', () => {
    expect(changesText(told)).toBe(
      [
        '# Changes from 2026-05-04 10:05 UTC to 2026-05-04 11:00 UTC',
        '## B\n- b in prod: 2.0 failed, last success 1.0, 2026-05-04 10:22 UTC by ines',
        '## A\n- a in prod: [1.0 → 2.0](https://github.com/acme/a/compare/1.0...2.0), 2026-05-04 10:20 UTC by ines',
        '## No team\n- =a in prod: 3.0 arriving, 2026-05-04 10:23 UTC by ines',
        '**Unchanged:** 1 of 4',
      ].join('\n\n'),
    );
    const none = changesText({ ...told, changes: [] });
    expect(none).toContain('Nothing changed.\n\n**Unchanged:** 0 of 0');
  });

  test('the CSV has a row for every slot', () => {
    expect(changesCsv(told).split('\r\n')).toEqual([
      'team,service,environment,then,now,change,attempt,at,actor',
      ",'=a,prod,,,arriving,3.0 in-progress,2026-05-04T10:23:00Z,ines",
      'B,b,prod,1.0,1.0,failed since,2.0 failure,2026-05-04T10:22:00Z,ines',
      'A,a,prod,1.0,2.0,another release,,2026-05-04T10:20:00Z,ines',
      'B,b,qa,1.0,1.0,unchanged,,,',
      '',
    ]);
  });
});
