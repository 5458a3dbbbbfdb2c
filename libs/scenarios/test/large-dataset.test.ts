import { createHash } from 'node:crypto';
import { headerNames, limits, statuses } from '@shiplog/contract';
import { type DatasetEvent, eventAt, largeDataset } from '@shiplog/scenarios';
import { clientOf, inGroups, testDatabase, testService } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';

const dataset = largeDataset();
const events = dataset.map(({ event }) => event);
const digest = (made: readonly DatasetEvent[]) => createHash('sha256').update(JSON.stringify(made)).digest('hex');
const differentOf = (values: readonly unknown[]) => new Set(values).size;

describe('the large dataset', () => {
  test('is the same for the same seed and size, and different for another seed', () => {
    expect(digest(largeDataset())).toBe(digest(dataset));
    const small = { services: 40, events: 300 };
    expect(digest(largeDataset(2, small))).toBe(digest(largeDataset(2, small)));
    expect(digest(largeDataset(2, small))).not.toBe(digest(largeDataset(1, small)));
  });

  test('has 20,000 events of 400 services in 23 environments, with every status', () => {
    expect(events).toHaveLength(20_000);
    expect(differentOf(events.map(({ service }) => service))).toBe(400);
    expect(differentOf(events.map(({ environment }) => environment))).toBe(23);
    expect(new Set(events.map(({ status }) => status))).toEqual(new Set(statuses));
  });

  test('has the number of services and events that the caller asks for', () => {
    const small = largeDataset(1, { services: 100, events: 3000 }).map(({ event }) => event);
    expect(small).toHaveLength(3000);
    expect(differentOf(small.map(({ service }) => service))).toBe(100);
  });

  test('has names of one character and of the longest allowed length, in several scripts', () => {
    const names = [...new Set(events.map(({ service }) => service))];
    const lengths = names.map((name) => [...name].length);
    expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([1, limits.service]);
    for (const script of ['Greek', 'Cyrillic', 'Han', 'Hangul', 'Arabic', 'Hebrew', 'Devanagari', 'Thai']) {
      const ofScript = new RegExp(`\\p{Script=${script}}`, 'u');
      expect([script, names.some((name) => ofScript.test(name))]).toEqual([script, true]);
    }
    expect(names.filter((name) => name.startsWith('acme-platform-monorepo-'))).toHaveLength(60);
    expect(Math.max(...events.map(({ environment }) => [...environment].length))).toBe(limits.environment);
    expect(Math.max(...events.map(({ version }) => version?.length ?? 0))).toBe(limits.version);
    expect(Math.max(...events.map(({ actor }) => actor?.length ?? 0))).toBe(limits.actor);
  });

  test('has events that are late, dated in the future, repeated, or from deployments that never end', () => {
    const lateBy = dataset.map(({ event, arrivalAge }) => event.elapsed_minutes - arrivalAge);
    expect(lateBy.filter((minutes) => minutes > 24 * 60).length).toBeGreaterThan(100);
    expect(events.filter(({ elapsed_minutes }) => elapsed_minutes < 0).length).toBeGreaterThan(10);
    const rows = events.map((event) => JSON.stringify(event));
    expect(rows.length - differentOf(rows)).toBeGreaterThan(100);
    const ended = new Set(events.filter(({ status }) => status === 'success' || status === 'failure').map(idOf));
    const running = events.filter((event) => event.status === 'in-progress' && !ended.has(idOf(event)));
    expect(running.filter(({ elapsed_minutes }) => elapsed_minutes > 24 * 60).length).toBeGreaterThan(50);
  });

  test('has one reporter that has stopped', () => {
    const lastOf = new Map<string | null, number>();
    for (const { reporter, arrivalAge } of dataset) lastOf.set(reporter, arrivalAge);
    expect([...lastOf].filter(([, age]) => age > 60)).toEqual([['deploy-action/2.4.1', expect.closeTo(30 * 60, -2)]]);
  });

  test('has promotions with parents, and rollbacks to a release that ran before', () => {
    const known = new Set(events.map(idOf));
    const parents = events.flatMap(({ parent_deployments }) => parent_deployments ?? []);
    expect(parents.filter((parent) => known.has(parent)).length).toBeGreaterThan(1000);
    expect(parents.filter((parent) => !known.has(parent)).length).toBeGreaterThan(0);
    const ran = new Map<string, string[]>();
    let rollbacks = 0;
    const successes = events.filter(({ status }) => status === 'success');
    for (const event of successes.toSorted((one, other) => other.elapsed_minutes - one.elapsed_minutes)) {
      const release = event.version || event.sha;
      const slot = JSON.stringify([event.service, event.environment]);
      const before = ran.get(slot) ?? [];
      if (!release) continue;
      if (before.at(-1) !== release && before.includes(release)) rollbacks += 1;
      ran.set(slot, [...before, release]);
    }
    expect(rollbacks).toBeGreaterThan(10);
  });

  test('is in order of arrival', () => {
    const ages = dataset.map(({ arrivalAge }) => arrivalAge);
    const misplaced = ages.filter((age, index) => age > (ages[index - 1] ?? Number.POSITIVE_INFINITY));
    expect(misplaced.length).toBe(0);
    expect(ages.at(-1)).toBeGreaterThanOrEqual(0);
  });
});

test('the service accepts every kind of event of the large dataset', async () => {
  const { url } = await testService({ databaseUrl: (await testDatabase()).url });
  const client = clientOf(url);
  // One event of each service, environment, version length and reporter.
  const seen = new Set<string>();
  const kinds = dataset.filter(({ event, reporter }) => {
    const { service, environment, actor, ref, version } = event;
    const features = [
      `s ${service}`,
      `e ${environment}`,
      `a ${actor}`,
      `f ${ref}`,
      `v ${version?.length}`,
      `r ${reporter}`,
    ];
    const isNew = features.some((feature) => !seen.has(feature));
    for (const feature of features) seen.add(feature);
    return isNew || event.deployment_id.length > 150 || (event.run_url?.length ?? 0) > 300;
  });
  const now = new Date();
  const answers: number[] = [];
  await inGroups(kinds, async ({ event, reporter }) => {
    const headers = reporter === null ? {} : { [headerNames.progressReporter]: reporter };
    answers.push((await client.appendDeployment({ body: eventAt(event, now), headers })).status);
  });
  expect(answers.length).toBeGreaterThan(400);
  expect(new Set(answers)).toEqual(new Set([201]));
});

function idOf({ deployment_id }: { readonly deployment_id: string }): string {
  return deployment_id;
}
