import type { MatrixRow, Outage, Status } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { attentionOf } from '../src/board/attention.ts';
import { attentionSentence, detailOf, partCounts, problemText, shortProblem } from '../src/board/attention-words.ts';
import type { BoardContext } from '../src/board/context.ts';
import { isHealthy } from '../src/board/healthy.ts';
import { noticesAt } from '../src/board/notices.ts';
import { anEvent } from './support/an-event.ts';
import { contextWith } from './support/stages.ts';
import { wallOf } from './support/wall.ts';

const nowMs = Date.parse('2026-05-04T12:00:00Z');
const columns = ['dev', 'prod'];
const at = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();

const event = (status: Status, minutes: number, version: string) =>
  anEvent({ status, version, happened_at: at(minutes) });
const current = event('success', 15, '1.4.2');
const row: MatrixRow = { service: 'pay', slots: { dev: { current }, prod: { current } } };

function anOutage(given: Partial<Outage> = {}): Outage {
  const link = { rule: 'suspected', service: 'pay', environment: 'prod', deployment_id: 'd-1' } as const;
  return {
    ...{ source: 'pager', outage_id: 'INC-7', state: 'open', opened_at: at(12), resolved_at: null, minutes: null },
    ...{ services: ['pay'], environments: ['prod'], severity: null, title: 'Payments fail', url: null },
    ...{ caused_by: null, not_by_deployment: false, reason: null },
    links: [{ ...link, event_id: current.id, at: current.happened_at }],
    ...given,
  };
}

const context = (outages: readonly Outage[]): BoardContext => ({
  ...contextWith('prod'),
  notices: noticesAt({ holds: [], outages }, nowMs),
});

const items = (outages: readonly Outage[], of = row) => attentionOf([of], columns, context(outages), nowMs);
const told = (outages: readonly Outage[], of = row) =>
  items(outages, of).map(({ kind, environment }) => `${kind} ${environment}`);

test.each<[string, Partial<Outage>, string[]]>([
  ['of its environment', {}, ['outage prod']],
  ['without environments, in production', { environments: null }, ['outage prod']],
  ['with no environments, in production', { environments: [] }, ['outage prod']],
  ['of another environment', { environments: ['dev'] }, ['outage dev']],
  ['of another service', { services: ['shop'] }, []],
  ['without services', { services: null }, []],
])('an outage %s needs attention in its places', (_, given, due) => {
  expect(told([anOutage(given)])).toEqual(due);
});

test('outages come first, but a place that failed is listed once, as failed', () => {
  const failed = event('failure', 1, '1.4.3');
  const both: MatrixRow = { service: 'pay', slots: { prod: { current: failed, last_successful: current } } };
  expect(told([anOutage()], both)).toEqual(['failed prod']);
  const beside: MatrixRow = { service: 'pay', slots: { dev: { current: failed }, prod: { current } } };
  expect(told([anOutage()], beside)).toEqual(['outage prod', 'failed dev']);
  const waiting: MatrixRow = { service: 'pay', slots: { prod: { current, next: event('waiting', 90, '1.4.3') } } };
  expect(told([anOutage()], waiting)).toEqual(['outage prod']);
});

test.each<[string, Partial<Outage>, string]>([
  ['suspected', {}, 'outage 12 min, suspected: 1.4.2'],
  [
    'named',
    { links: [{ ...(anOutage().links[0] as Outage['links'][number]), rule: 'named' }] },
    'outage 12 min, caused by 1.4.2',
  ],
  ['neither', { links: [], reason: 'no-deployment-in-time' }, 'outage 12 min, no deployment suspected'],
])('the words of an outage whose cause is %s', (_, given, words) => {
  const [item] = items([anOutage(given)]);
  if (!item) throw new Error('nothing needs attention');
  const ages = { nowMs, isOut: false };
  expect(problemText(item, ages)).toBe(words);
  expect(shortProblem(item, ages)).toBe('outage 12 min');
  expect(detailOf(item, ages)).toBe('Payments fail');
  expect(attentionSentence(item, ages)).toBe(`pay in prod: ${words}; Payments fail`);
  expect(partCounts([item]).map(({ text }) => text)).toEqual(['1 outage']);
});

test('an outage without a title is named by its source and id', () => {
  const [item] = items([anOutage({ title: null })]);
  expect(item && detailOf(item, { nowMs, isOut: false })).toBe('pager INC-7');
});

test('only the newest of several outages is reported', () => {
  const newer = anOutage({ outage_id: 'INC-8', opened_at: at(2), title: 'Carts are empty' });
  expect(items([newer, anOutage()]).map(({ text }) => text)).toEqual(['Carts are empty']);
});

test('a service with an open outage is not healthy', () => {
  const isHealthyWith = (outages: readonly Outage[]) => isHealthy(row, columns, context(outages), nowMs);
  expect([isHealthyWith([]), isHealthyWith([anOutage()])]).toEqual([true, false]);
});

/** The headline of a wall, the line below it, and the labels of its cells. */
function wall(outages: readonly Outage[], ...rows: MatrixRow[]) {
  const { rows: shown, ...words } = wallOf(rows, { context: context(outages), columns, nowMs });
  return { ...words, cells: shown.flatMap(({ cells }) => cells.map((cell) => cell?.label)) };
}

test('the wall names an outage in production', () => {
  const one = wall([anOutage()], row);
  expect(one).toMatchObject({ headline: 'bad: pay has an outage in prod', sub: ['1 outage'] });
  expect(one.cells).toContain('outage 12 min');
  const two = wall([anOutage({ services: ['pay', 'web'] })], row, { ...row, service: 'web' });
  expect([two.headline, two.sub]).toEqual(['bad: 2 outages in prod', ['2 outages']]);
  const elsewhere = wall([anOutage({ environments: ['dev'] })], row);
  expect([elsewhere.headline, elsewhere.sub]).toEqual(['ok: prod is healthy', ['1 outage']]);
});
