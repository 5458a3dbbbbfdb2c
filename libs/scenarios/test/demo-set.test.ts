import { demoSet, mockLimits } from '@shiplog/companions';
import { type Matrix, type MatrixSlot, promotionOrder } from '@shiplog/contract';
import { builtInDemoSet, type ScenarioTemplate } from '@shiplog/scenarios';
import { readJson } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { historyEvents, serviceWith } from './support/post-scenario.ts';

const { events, templates } = builtInDemoSet();
const everything = [...events, ...templates];

/** The deployments whose last row is in progress. */
function inProgress(rows: readonly ScenarioTemplate[]): ReadonlySet<string> {
  const last = new Map(rows.map((row) => [row.deployment_id, row.status]));
  return new Set([...last].filter(([, status]) => status === 'in-progress').map(([id]) => id));
}

describe('the demo set', () => {
  test(`has ${demoSet.events} events of ten services in the five environments, oldest first`, () => {
    expect(events).toHaveLength(demoSet.events);
    expect(new Set(events.map((event) => event.service)).size).toBe(10);
    expect(new Set(events.map((event) => event.environment))).toEqual(new Set(promotionOrder));
    const ages = events.map((event) => event.elapsed_minutes);
    expect(ages).toEqual([...ages].sort((one, other) => other - one));
  });

  test('has at least eight templates, for the same services', () => {
    expect(templates.length).toBeGreaterThanOrEqual(8);
    const services = new Set(events.map((event) => event.service));
    expect(templates.filter((template) => !services.has(template.service))).toEqual([]);
  });

  test('leaves deployments in progress that the first templates end', () => {
    const left = inProgress(events);
    const begun = templates.findIndex((template) => template.status === 'in-progress');
    expect(left.size).toBeGreaterThanOrEqual(5);
    expect(inProgress([...events, ...templates.slice(0, begun)])).toEqual(new Set());
    // Each round leaves the same deployments in progress as the demo set, and the next round ends them.
    expect(inProgress(everything)).toEqual(left);
  });

  test('has only statuses that the mock accepts, each once per deployment', () => {
    expect(new Set(everything.map((event) => event.status))).toEqual(new Set(mockLimits.ingestStatuses));
    const rows = events.map((event) => `${event.deployment_id} ${event.status}`);
    expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([]);
  });

  test("repeats a deployment's fields unchanged in each of its rows", () => {
    const said = new Map<string, unknown>();
    for (const { status: _, ...row } of everything) {
      const { elapsed_minutes: __, ...fields } = { elapsed_minutes: 0, ...row };
      expect(said.get(fields.deployment_id) ?? fields).toEqual(fields);
      said.set(fields.deployment_id, fields);
    }
  });

  test('has only earlier deployments as parents, including a fork, a join and a path through all stages', () => {
    const seen = new Set<string>();
    for (const event of everything) {
      expect([...seen]).toEqual(expect.arrayContaining(event.parent_deployments ?? []));
      seen.add(event.deployment_id);
    }
    const parentsOf = new Map(events.map((event) => [event.deployment_id, event.parent_deployments ?? []]));
    const all = [...parentsOf.values()];
    const children = all.flat();
    expect(all.filter((parents) => parents.length > 1)).not.toEqual([]);
    expect(children.filter((parent, index) => children.indexOf(parent) !== index)).not.toEqual([]);
    const depth = (id: string): number => 1 + Math.max(0, ...(parentsOf.get(id) ?? []).map(depth));
    expect(Math.max(...[...parentsOf.keys()].map(depth))).toBe(promotionOrder.length);
  });

  test('has versions near the length limit and events without a version or an actor', () => {
    expect(events.filter(({ version = '' }) => version.length > 45)).not.toEqual([]);
    expect(events.filter(({ version }) => version === undefined)).not.toEqual([]);
    expect(events.filter(({ actor }) => actor === undefined)).not.toEqual([]);
  });
});

/** The state of a slot: one of the six states that core specification §3 defines. */
function boxOf({ current, last_successful, prev_failed }: MatrixSlot): string {
  if (current.status === 'success') return 'success';
  const parts = [current.status === 'failure' ? 'failed' : 'running'];
  if (prev_failed) parts.push('failed');
  if (last_successful) parts.push('last successful');
  return parts.join(' + ');
}

/** The number of slots in each state, for the demo set. */
async function boxes(url: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await readJson<Matrix>(`${url}/api/matrix`);
  const slots = new Set(events.map((event) => `${event.service} ${event.environment}`));
  const counts = new Map<string, number>();
  for (const { service, slots: row } of rows) {
    for (const [environment, slot] of Object.entries(row)) {
      if (!slots.has(`${service} ${environment}`)) continue;
      counts.set(boxOf(slot), (counts.get(boxOf(slot)) ?? 0) + 1);
    }
  }
  return counts;
}

const sixStates = [
  'failed + last successful',
  'running',
  'running + failed',
  'running + failed + last successful',
  'running + last successful',
  'success',
];

describe('the demo set in the matrix', () => {
  test('shows all six box states and no others', async () => {
    const counts = await boxes(await serviceWith(new Date(), { events }));
    expect([...counts.keys()].sort()).toEqual(sixStates);
  });

  test('shows all six box states when posted after the history', async () => {
    const counts = await boxes(await serviceWith(new Date(), { events: historyEvents }, { events }));
    expect([...counts.keys()].sort()).toEqual(sixStates);
  });
});
