import type { DeploymentEvent, MatrixSlot } from '@shiplog/contract';
import { minute } from '@shiplog/testing';
import { array, constantFrom, integer, option, record, sample, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { type Api, type EventFields, unique } from '../support/api.ts';
import { allStatuses, nonEffective } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

/** A fixed seed, so that failures are reproducible. */
const seed = 20_260_504;

/** Newest first: by instant, then by id. */
function newestFirst(a: DeploymentEvent, b: DeploymentEvent): number {
  return Date.parse(b.happened_at) - Date.parse(a.happened_at) || (a.id < b.id ? 1 : -1);
}

/** Implements §2 MatrixSlot and readings 4.1 to 4.3 as a simple reduction over the events of one slot. */
function slotOf(events: readonly DeploymentEvent[]): MatrixSlot | undefined {
  const sorted = [...events].sort(newestFirst);
  const isPending = (event: DeploymentEvent) => nonEffective.some((each) => each === event.status);
  const current = sorted.find((event) => !isPending(event));
  if (!current) return undefined;
  const isLater = (event: DeploymentEvent) => Date.parse(event.happened_at) > Date.parse(current.happened_at);
  const isOlder = (event: DeploymentEvent) => Date.parse(event.happened_at) < Date.parse(current.happened_at);
  const success = sorted.find((event) => event.status === 'success');
  const terminal = sorted.find((event) => isOlder(event) && ['success', 'failure'].includes(event.status));
  const next = sorted.find(isPending);
  return {
    current,
    ...(success && current.status !== 'success' ? { last_successful: success } : {}),
    ...(current.status === 'in-progress' && terminal?.status === 'failure' ? { prev_failed: true as const } : {}),
    ...(next && isLater(next) ? { next } : {}),
  };
}

/** Stores several histories concurrently. The events of each history are stored in order. */
function storeAll(api: Api, histories: readonly (readonly EventFields[])[]): Promise<DeploymentEvent[][]> {
  return Promise.all(histories.map((events) => api.appendAll(events)));
}

suite('laws', (api, { testUnless }) => {
  testUnless(
    'prevFailed',
    'slotNext',
    'ingestStatuses',
  )('§2 MatrixSlot: for any events in any order, each slot equals the simple reduction of its events', async () => {
    const status = constantFrom(...allStatuses);
    const event = record({ status, minute: integer({ min: 0, max: 6 }), environment: constantFrom('dev', 'prod') });
    const histories = sample(array(event, { minLength: 1, maxLength: 12 }), { seed, numRuns: 80 }).map((history) => {
      const service = unique();
      return history.map((item) => ({
        service,
        environment: item.environment,
        status: item.status,
        happened_at: minute(item.minute),
      }));
    });
    for (const stored of await storeAll(api, histories)) {
      const places = ['dev', 'prod'].map((name) => [name, slotOf(stored.filter((each) => each.environment === name))]);
      const expected = Object.fromEntries(places.filter(([, slot]) => slot !== undefined));
      expect(await api.slots(stored[0]?.service ?? ''), JSON.stringify(stored, null, 1)).toEqual(expected);
    }
  });

  test('§4: with every filter, the pages contain the matching events, newest first', async () => {
    const [services, environments, deployments] = [unique(), unique('env'), unique('deployment')].map((name) =>
      ['a', 'b', 'c'].map((letter) => `${name}-${letter}`),
    ) as [string[], string[], string[]];
    const event = record({
      service: constantFrom(...services),
      environment: constantFrom(...environments),
      deployment_id: constantFrom(...deployments),
      status: constantFrom(...api.statuses),
      happened_at: integer({ min: 0, max: 8 }).map(minute),
    });
    const stored = await api.appendAll(sample(event, { seed, numRuns: 150 }));
    const filters = record({
      names: uniqueArray(constantFrom('service', 'environment', 'deployment_id', 'status', 'since', 'until')),
      like: event,
      other: event,
      limit: option(integer({ min: 1, max: 60 }), { nil: 500 }),
    });
    for (const { names, like, other, limit } of sample(filters, { seed, numRuns: 80 })) {
      const anchors = names.some((name) => ['service', 'environment', 'deployment_id'].includes(name));
      const values = { ...like, since: like.happened_at, until: other.happened_at };
      const all = Object.fromEntries(
        [...names, ...(anchors ? [] : ['service' as const])].map((name) => [name, values[name]]),
      );
      const passes = (candidate: DeploymentEvent) =>
        Object.entries(all).every(([name, value]) => {
          if (name === 'since') return Date.parse(candidate.happened_at) >= Date.parse(value);
          if (name === 'until') return Date.parse(candidate.happened_at) < Date.parse(value);
          return candidate[name as 'service'] === value;
        });
      const found: DeploymentEvent[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await api.list({ ...all, limit, ...(cursor === undefined ? {} : { cursor }) });
        found.push(...page.items);
        cursor = page.next_cursor;
      }
      expect(found, JSON.stringify({ ...all, limit })).toEqual(stored.filter(passes).sort(newestFirst));
    }
  });
});
