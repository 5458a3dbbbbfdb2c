import { minute } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { type EventFields, unique } from '../support/api.ts';
import { nonEffective } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

type Status = NonNullable<EventFields['status']>;

/** Events of one slot as `status@minute`, in posting order. Expected slots refer to events by index. */
interface SlotCase {
  readonly rule: string;
  readonly events: string;
  readonly slot: { current: number; last_successful?: number; prev_failed?: true; next?: number } | 'none';
  /** Whether posting order matters: whether the same events in another order give another slot. */
  readonly orderMatters?: true;
}

/** §3, Matrix box states. */
const boxStates: readonly SlotCase[] = [
  { rule: 'success', events: 'success@1', slot: { current: 0 } },
  {
    rule: 'running + last successful',
    events: 'success@1 in-progress@2',
    slot: { current: 1, last_successful: 0 },
  },
  {
    rule: 'running + failed + last successful',
    events: 'success@1 failure@2 in-progress@3',
    slot: { current: 2, last_successful: 0, prev_failed: true },
  },
  {
    rule: 'failed + last successful',
    events: 'success@1 failure@2',
    slot: { current: 1, last_successful: 0 },
  },
  { rule: 'running', events: 'in-progress@1', slot: { current: 0 } },
  {
    rule: 'running + failed',
    events: 'failure@1 in-progress@2',
    slot: { current: 1, prev_failed: true },
  },
];

const slots: readonly SlotCase[] = [
  { rule: 'failed, never successful', events: 'failure@1', slot: { current: 0 } },
  {
    rule: 'current is the latest effective event',
    events: 'failure@1 success@2 in-progress@3 success@4',
    slot: { current: 3 },
  },
  {
    rule: 'last_successful is the latest success',
    events: 'success@1 success@2 failure@3 failure@4',
    slot: { current: 3, last_successful: 1 },
  },
  {
    rule: 'no last_successful when current succeeded',
    events: 'success@1 success@2',
    slot: { current: 1 },
  },
  {
    rule: 'prev_failed depends only on the latest terminal event',
    events: 'failure@1 success@2 in-progress@3',
    slot: { current: 2, last_successful: 1 },
  },
  {
    rule: 'prev_failed ignores earlier in-progress events',
    events: 'failure@1 in-progress@2 in-progress@3',
    slot: { current: 2, prev_failed: true },
  },
  {
    rule: 'prev_failed ignores cancelled events, which are not terminal',
    events: 'failure@1 cancelled@2 rejected@3 in-progress@4',
    slot: { current: 3, prev_failed: true },
  },
  {
    rule: 'no prev_failed while current is a failure',
    events: 'failure@1 failure@2',
    slot: { current: 1 },
  },
  {
    rule: 'a terminal event at the same time is not strictly older',
    events: 'failure@5 in-progress@5',
    slot: { current: 1 },
    orderMatters: true,
  },
  {
    rule: 'an older failure counts if a success has the same time as current',
    events: 'failure@1 success@5 in-progress@5',
    slot: { current: 2, last_successful: 1, prev_failed: true },
    orderMatters: true,
  },
  {
    rule: 'an older success counts if a failure has the same time as current',
    events: 'success@1 failure@5 in-progress@5',
    slot: { current: 2, last_successful: 0 },
    orderMatters: true,
  },
  {
    rule: 'the latest older event counts if both have the same time as current',
    events: 'failure@1 success@2 failure@3 success@5 failure@5 in-progress@5',
    slot: { current: 5, last_successful: 3, prev_failed: true },
    orderMatters: true,
  },
  {
    rule: 'the failure counts if older terminal events have equal times and the failure has the greater id',
    events: 'success@1 failure@1 in-progress@2',
    slot: { current: 2, last_successful: 0, prev_failed: true },
    orderMatters: true,
  },
  {
    rule: 'the success counts if older terminal events have equal times and the success has the greater id',
    events: 'failure@1 success@1 in-progress@2',
    slot: { current: 2, last_successful: 1 },
    orderMatters: true,
  },
];

const ties: readonly SlotCase[] = [
  {
    rule: 'current is the failure if it has the greater id',
    events: 'success@5 failure@5',
    slot: { current: 1, last_successful: 0 },
    orderMatters: true,
  },
  {
    rule: 'current is the success if it has the greater id',
    events: 'in-progress@5 success@5',
    slot: { current: 1 },
    orderMatters: true,
  },
  {
    rule: 'current is the event with the greater id if the statuses are equal',
    events: 'failure@5 failure@5 failure@5',
    slot: { current: 2 },
    orderMatters: true,
  },
  {
    rule: 'last_successful is the event with the greater id',
    events: 'success@1 success@1 failure@2',
    slot: { current: 2, last_successful: 1 },
    orderMatters: true,
  },
  {
    rule: 'next is the event with the greater id, whatever its status',
    events: 'success@1 waiting@2 queued@2',
    slot: { current: 0, next: 2 },
    orderMatters: true,
  },
];

const nexts: readonly SlotCase[] = [
  ...nonEffective.map(
    (status): SlotCase => ({
      rule: `${status} after current`,
      events: `success@1 ${status}@2`,
      slot: { current: 0, next: 1 },
    }),
  ),
  {
    rule: 'event before current',
    events: 'queued@1 success@2',
    slot: { current: 1 },
  },
  {
    rule: 'event at the same time as current',
    events: 'success@2 queued@2',
    slot: { current: 0 },
  },
  {
    rule: 'latest of several events',
    events: 'pending@2 queued@4 waiting@3 success@1',
    slot: { current: 3, next: 1 },
  },
  {
    rule: 'event after a running current that failed before',
    events: 'success@1 failure@2 in-progress@3 waiting@4',
    slot: { current: 2, last_successful: 0, prev_failed: true, next: 3 },
  },
  {
    rule: 'there is no slot without an effective event',
    events: 'pending@1 rejected@2',
    slot: 'none',
  },
];

suite('matrix slots', (api, { testUnless }) => {
  const expectSlot = async ({ events: written, slot, orderMatters }: SlotCase) => {
    const events = written.split(' ').map((event) => event.split('@') as [Status, string]);
    const orders = orderMatters
      ? [events.map((_, n) => n)]
      : [events.map((_, n) => n), events.map((_, n) => n).reverse()];
    for (const order of orders) {
      const service = unique();
      const stored: Record<number, object> = {};
      for (const n of order) {
        const [status, at] = events[n] ?? ['success', '0'];
        stored[n] = await api.append({ service, environment: 'prod', status, happened_at: minute(Number(at)) });
      }
      const named = (n: number | undefined) => (n === undefined ? undefined : stored[n]);
      const expected =
        slot === 'none'
          ? {}
          : {
              prod: {
                current: named(slot.current),
                ...(slot.last_successful === undefined ? {} : { last_successful: named(slot.last_successful) }),
                ...(slot.prev_failed ? { prev_failed: true } : {}),
                ...(slot.next === undefined ? {} : { next: named(slot.next) }),
              },
            };
      expect(await api.slots(service)).toEqual(expected);
    }
  };

  const slotTest = testUnless('prevFailed', 'slotNext', 'ingestStatuses');
  const slotTests = (place: string, cases: readonly SlotCase[]) =>
    slotTest.each(cases.map((each) => [each.rule, each] as const))(`${place}: %s`, (_, each) => expectSlot(each));
  slotTests('§3 box states', boxStates);
  slotTests('§2 MatrixSlot, readings 4.2 and 4.3', slots);
  slotTests('reading 4.2, equal instants', ties);
  slotTests('§2 MatrixSlot next', nexts);

  test('reading 3.3: events are ordered by microseconds, and further digits are ignored', async () => {
    const service = unique();
    const at = (fraction: string) => ({
      service,
      environment: 'prod',
      happened_at: `2026-05-04T09:00:00.${fraction}Z`,
    });
    const later = await api.append({ ...at('000002'), status: 'success' });
    await api.append({ ...at('0000019'), status: 'failure' });
    expect((await api.slots(service)).prod).toEqual({ current: later });
    const tied = await api.append({ ...at('0000020'), status: 'failure' });
    expect((await api.slots(service)).prod).toEqual({ current: tied, last_successful: later });
  });

  test('§2: a service or environment can have the name of a JavaScript object member', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'length', '0'];
    const service = unique();
    await api.appendAll(names.map((environment) => ({ service, environment })));
    expect(Object.keys(await api.slots(service)).sort()).toEqual([...names].sort());
    const own = await api.append({ service: '__proto__', environment: service });
    const { rows } = await api.matrix('__proto__');
    expect(rows.map((row) => row.service)).toEqual(['__proto__']);
    expect(rows[0]?.slots[service]).toEqual({ current: own });
  });

  test('§2: each combination of service and environment is a separate slot, and names are compared exactly', async () => {
    const service = unique();
    const places = [
      { service, environment: 'prod' },
      { service, environment: 'Prod' },
      { service, environment: 'prod ' },
      { service, environment: 'a"b\\c😀' },
      { service: service.toUpperCase(), environment: 'prod' },
    ];
    const [a, b, c, d, e] = await api.appendAll(places);
    expect(await api.slots(service)).toEqual({
      prod: { current: a },
      Prod: { current: b },
      'prod ': { current: c },
      'a"b\\c😀': { current: d },
    });
    expect(await api.slots(service.toUpperCase())).toEqual({ prod: { current: e } });
  });
});
