import { mockLimits } from '@shiplog/companions';
import { DeploymentEventIngest } from '@shiplog/contract';
import { eventAt, type ScenarioEvent } from '@shiplog/scenarios';
import { compileValidator } from '@shiplog/server';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { liveEvents, randomEvents } from '../src/domain/random-scenario.ts';
import { reporterOf } from '../src/domain/run-plan.ts';

const faultsOf = compileValidator(DeploymentEventIngest);
const now = new Date('2026-05-04T09:00:00Z');

/** A random generator that returns equal numbers for equal seeds. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

const anyRun = fc.record({ count: fc.integer({ min: 1, max: 10 }), seed: fc.integer({ min: 0, max: 2 ** 30 }) });

function byPlace(events: readonly ScenarioEvent[]): ScenarioEvent[][] {
  const places = new Map<string, ScenarioEvent[]>();
  for (const event of events) {
    const place = `${event.service} ${event.environment}`;
    places.set(place, [...(places.get(place) ?? []), event]);
  }
  return [...places.values()];
}

test('each scenario has a separate service, and each environment three events: one at most 25 minutes old, two 4 h and 2 h older', () => {
  fc.assert(
    fc.property(anyRun, ({ count, seed }) => {
      const events = randomEvents(count, seeded(seed));
      expect(new Set(events.map(({ service }) => service)).size).toBe(count);
      for (const place of byPlace(events)) {
        const ages = place.map(({ elapsed_minutes: age }) => age);
        const [, , youngest = Number.NaN] = ages;
        expect(youngest).toBeLessThanOrEqual(25);
        expect(ages.map((age) => age - youngest)).toEqual([240, 120, 0]);
        const indices = place.map((event) => events.indexOf(event));
        expect(indices).toEqual([0, 1, 2].map((n) => (indices[0] ?? 0) + n));
      }
    }),
  );
});

test('service and mock accept every event; each has a separate deployment and existing parents', () => {
  fc.assert(
    fc.property(anyRun, ({ count, seed }) => {
      const events = randomEvents(count, seeded(seed));
      const ids = new Set(events.map(({ deployment_id }) => deployment_id));
      expect(ids.size).toBe(events.length);
      for (const event of events) {
        expect(faultsOf(eventAt(event, now))).toEqual([]);
        expect(mockLimits.ingestStatuses).toContain(event.status);
        for (const parent of event.parent_deployments ?? []) expect(ids).toContain(parent);
      }
    }),
  );
});

test('a version is promoted only after it succeeded in every preceding environment', () => {
  fc.assert(
    fc.property(anyRun, ({ count, seed }) => {
      const events = randomEvents(count, seeded(seed));
      for (const event of events) {
        const parents = event.parent_deployments ?? [];
        expect(parents.length > 0).toBe(event.environment !== 'dev');
        for (const parent of parents) {
          const before = events.find(({ deployment_id }) => deployment_id === parent);
          expect(before).toMatchObject({ service: event.service, version: event.version, status: 'success' });
          expect(before?.elapsed_minutes).toBeGreaterThan(event.elapsed_minutes);
        }
      }
    }),
  );
});

test('of three or more services, one is running, one has failed, and one has an environment with two predecessors', () => {
  fc.assert(
    fc.property(anyRun, ({ count, seed }) => {
      fc.pre(count >= 3);
      const current = byPlace(randomEvents(count, seeded(seed))).map(([, , last]) => last);
      const statuses = current.map((event) => event?.status);
      expect(statuses).toEqual(expect.arrayContaining(['in-progress', 'failure', 'success']));
      expect(current.filter((event) => event?.parent_deployments?.length === 2)).not.toEqual([]);
    }),
  );
});

test('equal random numbers produce equal events', () => {
  expect(randomEvents(10, seeded(7))).toEqual(randomEvents(10, seeded(7)));
  expect(randomEvents(10, seeded(7))).not.toEqual(randomEvents(10, seeded(8)));
});

test('live events are emitted in pairs of a start and an end', () => {
  const events = liveEvents(seeded(3));
  for (let pair = 0; pair < 50; pair++) {
    const { value: begins } = events.next();
    const { value: ends } = events.next();
    expect(begins.status).toBe('in-progress');
    expect(['success', 'failure']).toContain(ends.status);
    expect(ends).toEqual({ ...begins, status: ends.status });
    expect(faultsOf(eventAt(ends, now))).toEqual([]);
  }
});

test('live emission promotes a version from dev towards production until it fails', () => {
  const events = liveEvents(seeded(5));
  const succeeded = new Set<string>();
  const reached = new Set<string>();
  for (let count = 0; count < 400; count++) {
    const { deployment_id, environment, status, parent_deployments: parents = [] } = events.next().value;
    expect(parents.length > 0).toBe(environment !== 'dev');
    for (const parent of parents) expect(succeeded).toContain(parent);
    if (status === 'success') succeeded.add(deployment_id);
    reached.add(`${environment} ${status}`);
  }
  expect([...reached]).toEqual(expect.arrayContaining(['dev failure', 'prod success']));
});

test.each([
  ['demo', 'demo-driver/demo'],
  ['Über Nacht', 'demo-driver/-ber-nacht'],
  ['a.b/c-1', 'demo-driver/a.b/c-1'],
  ['x'.repeat(200), `demo-driver/${'x'.repeat(116)}`],
])('the reporter of the scenario "%s" is %s', (name, reporter) => {
  expect(reporterOf(name)).toBe(reporter);
});
