import type { Change, DeploymentEvent, NetChange, Status } from '@shiplog/contract';
import { runs } from '@shiplog/testing';
import { type Arbitrary, array, constantFrom, integer, option, record, sample, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { type EventFields, unique } from '../support/api.ts';
import { Changes, microsOf, OwnDay, removeEvent } from '../support/changes.ts';
import { PlainChanges } from '../support/plain-changes.ts';
import { allStatuses } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

/** A fixed seed, so that failures are reproducible. */
const seed = 20_260_505;
const names = ['a', 'b', 'c'] as const;
const environments = ['dev', 'prod'] as const;

/** A time on a coarse grid, so that equal instants are common: 0 to 12 minutes after noon, sometimes a microsecond more. */
const time = record({ minutes: integer({ min: 0, max: 12 }), micros: constantFrom(0, 0, 0, 1) });

const row = record({
  deployment: integer({ min: 0, max: 4 }),
  name: constantFrom(...names),
  environment: constantFrom(...environments),
  // Successes are common, because most members depend on them.
  status: constantFrom<Status>(...allStatuses, 'success', 'success', 'success', 'failure'),
  at: time,
  ahead: integer({ min: 0, max: 19 }),
  version: constantFrom(undefined, '', '1', '2', '3'),
  sha: constantFrom(undefined, '', '1', '2'),
  actor: constantFrom(undefined, '', 'ann', 'bob'),
  run_url: constantFrom(undefined, 'https://ci/1', 'https://ci/2'),
});

const question = record({
  from: time,
  to: time,
  services: option(uniqueArray(constantFrom(...names), { minLength: 1 })),
  environments: option(constantFrom(...environments)),
  states: uniqueArray(constantFrom<Status>(...allStatuses), { maxLength: 3 }),
  limit: integer({ min: 1, max: 8 }),
  buckets: constantFrom(1, 3, 7, 60),
});

type Question = typeof question extends Arbitrary<infer Value> ? Value : never;

interface Log {
  readonly day: OwnDay;
  readonly prefix: string;
  readonly era: 'alone' | 'ahead';
  readonly kept: readonly DeploymentEvent[];
}

suite('questions: changes of random logs', (api) => {
  const changes = new Changes(api);

  /** Compares the responses to a question with those of the model. */
  const compare = async (asked: Question, { day, prefix, era, kept }: Log) => {
    const [one, other] = [asked.from, asked.to].map(({ minutes, micros }) => day.at(minutes, micros)) as [
      string,
      string,
    ];
    if (one === other) return;
    const range = one < other ? { from: one, to: other } : { from: other, to: one };
    const everyService = era === 'ahead' ? { services: `${prefix}-*` } : {};
    const scope = {
      ...(asked.services ? { services: asked.services.map((name) => `${prefix}-${name}`) } : everyService),
      ...(asked.environments && { environments: asked.environments }),
    };
    const inScope = ({ service, environment }: Pick<DeploymentEvent, 'service' | 'environment'>) =>
      (!asked.services || asked.services.some((name) => service === `${prefix}-${name}`)) &&
      (!asked.environments || asked.environments === environment);
    const between = { from: microsOf(range.from), to: microsOf(range.to) };
    const told = JSON.stringify({ range, scope, states: asked.states, kept }, null, 1);
    const model = new PlainChanges(kept);

    const expected = model.read(between, inScope, asked.states);
    // Changes that last into the future are in the ranges of all later logs.
    const elsewhere = era === 'ahead' ? { elsewhere: expect.any(Number) } : {};
    const pages = await changes.walk<Change>({ ...range, ...scope, state: asked.states, limit: asked.limit });
    for (const page of pages) expect(page.counts, told).toEqual({ ...expected.counts, ...elsewhere });
    expect(pages[0]?.ahead, told).toEqual(expected.ahead);
    expect(itemsOf(pages), told).toEqual(expected.items);

    const places = await changes.walk<NetChange>({ ...range, ...scope, limit: asked.limit, net: 'true' });
    expect(itemsOf(places), told).toEqual(model.net(between, inScope));

    const { buckets } = await changes.readHistogram({ ...range, ...scope, buckets: asked.buckets });
    const parts = buckets.map(({ from, to, by_state }) => ({ from: microsOf(from), to: microsOf(to), by_state }));
    expect(parts, told).toEqual(model.histogram(between, inScope, asked.buckets));
  };

  test.each(['alone', 'ahead'] as const)(
    'the responses for random rows in any order, before and after removals, equal those of a simple model: %s',
    async (era) => {
      const logs = sample(array(row, { minLength: 5, maxLength: 60, size: 'max' }), { seed, numRuns: runs(8) });
      const questions = sample(question, { seed, numRuns: runs(24) });
      for (const rows of logs) {
        const day = new OwnDay(api, era);
        const prefix = unique();
        const events = rows.map(({ deployment, name, at, ahead, ...fields }) => ({
          ...(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as EventFields),
          deployment_id: `${prefix}-${deployment}`,
          service: `${prefix}-${name}`,
          happened_at:
            era === 'ahead' && ahead < 3 ? `2999-01-01T00:0${at.minutes % 10}:00Z` : day.at(at.minutes, at.micros),
        }));
        const half = Math.floor(events.length / 2);
        const early = await api.appendAll(events.slice(0, half));
        for (const asked of questions.slice(0, 4)) await compare(asked, { day, prefix, era, kept: early });
        const all = [...early, ...(await api.appendAll(events.slice(half)))];
        for (const asked of questions) await compare(asked, { day, prefix, era, kept: all });
        const isRemoved = (_: DeploymentEvent, index: number) => index % 4 === 1;
        for (const { id } of all.filter(isRemoved)) await removeEvent(api, id);
        const kept = all.filter((event, index) => !isRemoved(event, index));
        for (const asked of questions.slice(-6)) await compare(asked, { day, prefix, era, kept });
      }
    },
  );
});

function itemsOf<Item>(pages: readonly { readonly items: readonly Item[] }[]): Item[] {
  return pages.flatMap(({ items }) => items);
}
