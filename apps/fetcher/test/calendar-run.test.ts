import type { Hold } from '@shiplog/contract';
import { clientOf, sharedService } from '@shiplog/testing';
import { beforeEach, expect, test } from 'vitest';
import { CalendarRun, entryOf, intervalMs } from './support/calendar-run.ts';

const service = sharedService();

/** Holds outlive resets of the service, so each test releases those of the previous test. */
beforeEach(async () => {
  const run = await CalendarRun.open(await service());
  for (const { id } of await run.holds()) await run.client.releaseHold({ params: { id }, body: {} });
});

const shown = ({ reason, source_id, from, until }: Hold) => ({ reason, source_id, from, until });
const idsOf = (holds: readonly Hold[]) => holds.map(({ id }) => id);
const instantOf = (text: string) => text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
/** Without the fraction of a second. */
const whole = (text: string | null) => text?.replace(/\.\d+Z$/, 'Z');

test('each event becomes a freeze when the fetcher starts', async () => {
  const run = await CalendarRun.open(await service());
  run.shows(['UID:a@b', ...run.span(24, 48), 'SUMMARY:Christmas'], ['UID:c', ...run.span(-2, 20)], run.span(-9, -8));
  await run.start();
  const [running, upcoming, ...more] = await run.holds();
  expect(more).toEqual([]);
  expect(upcoming).toMatchObject({
    ...{ kind: 'freeze', services: ['pay-*'], environments: ['prod'], version: null, reason: 'Christmas' },
    ...{ source: 'calendar-christmas', source_id: `a@b/${instantOf(run.at(24))}` },
  });
  expect([whole(upcoming?.from ?? null), whole(upcoming?.until ?? null)]).toEqual(
    [run.at(24), run.at(48)].map(instantOf),
  );
  // It is already running, so its hold begins now.
  expect(running).toMatchObject({ reason: 'christmas', source_id: `c/${instantOf(run.at(-2))}` });
  expect(running?.from).toBe(running?.created_at);
});

test('a calendar is read every 15 minutes, and unchanged events keep their holds, even after a restart', async () => {
  const run = await CalendarRun.open(await service());
  run.shows(['UID:a', ...run.span(24, 48)], ['UID:c', ...run.span(-2, 20)]);
  await run.start();
  const before = await run.holds();
  expect([run.reads, run.waits]).toEqual([1, [intervalMs]]);
  await run.next();
  await run.restart();
  expect(run.reads).toBe(3);
  expect((await run.holds()).map(shown)).toEqual(before.map(shown));
  expect(idsOf(await run.holds())).toEqual(idsOf(before));
});

test('the hold of a changed event is made again, and the hold of a removed event is released', async () => {
  const run = await CalendarRun.open(await service());
  const [a, b, c] = [
    ['UID:a', ...run.span(24, 48)],
    ['UID:b', ...run.span(30, 40)],
    ['UID:c', ...run.span(-2, 20)],
  ];
  run.shows([...a, 'SUMMARY:one'], b, c);
  await run.start();
  const before = await run.holds();
  run.shows([...a, 'SUMMARY:two'], ['UID:c', ...run.span(-2, 21)]);
  await run.next();
  const after = await run.holds();
  expect(after.map(({ source_id, reason }) => [source_id?.[0], reason])).toEqual([
    ['c', 'christmas'],
    ['a', 'two'],
  ]);
  expect(idsOf(after).filter((id) => idsOf(before).includes(id))).toEqual([]);
  for (const { id } of before) {
    const { released } = (await run.client.getHold({ params: { id } })).body;
    expect(released?.reason).toBe('changed or removed in the calendar');
  }
});

test('changed globs in the configuration replace all holds', async () => {
  const run = await CalendarRun.open(await service());
  run.shows(['UID:a', ...run.span(24, 48)]);
  await run.start();
  const before = await run.holds();
  await run.configured([entryOf('christmas').replace('[prod]', '["prod*"]')]).restart();
  const after = await run.holds();
  expect(after.map(({ environments }) => environments)).toEqual([['prod*']]);
  expect(idsOf(after)).not.toEqual(idsOf(before));
});

test('holds that people made, and those of another calendar, are never touched', async () => {
  const run = await CalendarRun.open(await service(), [entryOf('christmas'), entryOf('audits')]);
  const body = { kind: 'freeze' as const, services: ['pay-*'], environments: ['prod'], reason: 'by hand' };
  await run.client.makeHold({ body: { ...body, until: instantOf(run.at(30)) } });
  run.shows(['UID:a', ...run.span(24, 48)]);
  await run.start();
  expect((await run.holds()).map(({ source }) => source).sort()).toEqual([
    'calendar-audits',
    'calendar-christmas',
    null,
  ]);
  run.shows();
  await run.next();
  expect((await run.holds()).map(({ reason }) => reason)).toEqual(['by hand']);
});

test.each<[string, (run: CalendarRun) => void, RegExp, number]>([
  [
    'is unavailable',
    (run) => run.answers(503),
    /^The calendar can't be read: http:\S+: 503\. Its holds are kept\.$/,
    60_000,
  ],
  ['is garbage', (run) => run.answers(200, '<html>'), /^The calendar is invalid: line 1 is not iCal/, intervalMs],
])(
  'a calendar that %s keeps its holds, and the component reports an error until it works again',
  async (_, breaks, sentence, waitMs) => {
    const run = await CalendarRun.open(await service());
    const event = ['UID:a', ...run.span(24, 48)];
    run.shows(event);
    await run.start();
    const before = idsOf(await run.holds());
    expect(await run.health()).toMatchObject({
      status: 'ok',
      calendars: [{ last_outcome: 'ok', last_error: null, freezes: 1 }],
    });
    breaks(run);
    await run.next();
    expect(idsOf(await run.holds())).toEqual(before);
    expect(run.waits).toEqual([waitMs]);
    const { status, sources, calendars = [] } = await run.health();
    expect([status, sources, calendars.length]).toEqual(['error', [], 1]);
    expect(calendars[0]).toMatchObject({
      name: 'christmas',
      last_outcome: 'error',
      last_error: expect.stringMatching(sentence),
    });
    run.shows(event);
    await run.next();
    expect((await run.health()).status).toBe('ok');
    await run.stop();
    const told = (await run.reports()).filter((detail) => detail.startsWith('calendar-'));
    expect(told.slice(-2)).toEqual([
      expect.stringMatching(new RegExp(`^calendar-christmas: ${sentence.source.slice(1)}`)),
      'calendar-christmas works again',
    ]);
  },
);

test('of two holds for the same instance, as after a lost response, one is released', async () => {
  const run = await CalendarRun.open(await service());
  run.shows(['UID:a', ...run.span(24, 48)]);
  await run.start();
  const [hold] = await run.holds();
  if (!hold) throw new Error('there is no hold');
  const { services, environments, reason, from } = hold;
  const until = hold.until ?? '';
  const own = { source: 'calendar-christmas', source_id: hold.source_id ?? '' };
  await run.client.makeHold({ body: { kind: 'freeze', services, environments, reason, from, until, ...own } });
  expect(await run.holds()).toHaveLength(2);
  await run.next();
  expect(await run.holds()).toHaveLength(1);
});

test('a key that the service refuses is reported as an error of the calendar', async () => {
  const run = await CalendarRun.open(await service());
  run.shows(['UID:a', ...run.span(24, 48)]);
  await run.start({ API_KEY: 'wrong' });
  expect((await run.health()).calendars?.[0]?.last_error).toMatch(/^The service does not accept API_KEY\./);
  expect(await run.holds()).toEqual([]);
});

test('a reset keeps the holds, and the calendar is read again afterwards', async () => {
  const run = await CalendarRun.open(await service());
  run.shows(['UID:a', ...run.span(24, 48)]);
  await run.start();
  const before = idsOf(await run.holds());
  await clientOf(run.serviceUrl).startReset();
  await expect.poll(() => run.reads).toBe(2);
  await expect.poll(() => run.waits).toEqual([intervalMs]);
  expect(idsOf(await run.holds())).toEqual(before);
});
