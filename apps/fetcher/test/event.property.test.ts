import { DeploymentEventIngest, statuses } from '@shiplog/contract';
import { compileValidator } from '@shiplog/server';
import { runs } from '@shiplog/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Json, variableNames } from '../src/change.ts';
import { compileMapping, eventsOf } from '../src/domain/mapping.ts';
import { changeOf } from './support/change.ts';
import { configOf } from './support/config.ts';

/** Any text: short, longer than any limit, or with characters that cannot be stored. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('a', '\0', '\ud83d', '\ude00', '😀', '~', ':'), maxLength: 400, size: 'max' }),
  fc.webUrl(),
  fc.constantFrom('', 'true', 'https://ci/x y', `https://ci/${'x'.repeat(2100)}`),
);
const id = text.map((rest) => `gh-deploy-${rest}`);
const payload = fc.oneof(
  fc.jsonValue(),
  fc.json(),
  fc.record({ s: fc.array(text, { maxLength: 34 }) }),
) as fc.Arbitrary<Json>;
const change = fc
  .record({
    id,
    status: fc.constantFrom(...statuses),
    parents: fc.array(id, { maxLength: 40, size: 'max' }),
    vars: fc.dictionary(fc.constantFrom(...variableNames), text),
    payload,
  })
  .map((fields) => changeOf(fields));

const mappings = [
  [],
  ['rules: [{ match: { repo: "**" }, service: "{payload.s}", environment: "{ref|sha|actor}", version: "{actor}" }]'],
  ['rules: [{ match: { name: "{x}" }, service: ["{x}", "{x}:{sha|ref}"], version: "{payload.a|ref}" }]'],
].map((file) => compileMapping(configOf(...file), { service: ({ name = '' }) => name, version: '{sha}' }));

const validator = compileValidator(DeploymentEventIngest);

test('ingest accepts the events of any change, and their ids are distinct', () => {
  fc.assert(
    fc.property(change, fc.constantFrom(...mappings), fc.constantFrom('', 'g-'), (one, { map }, idPrefix) => {
      const mapped = map(one, new Map());
      const events = mapped.kind === 'events' ? eventsOf(one, mapped.events, idPrefix) : [];
      expect(events.flatMap(validator)).toEqual([]);
      expect(new Set(events.map(({ deployment_id }) => deployment_id)).size).toBe(events.length);
      for (const value of events.flatMap((event) => Object.values(event))) expect(value).not.toBe('');
    }),
    { numRuns: runs(500) },
  );
});
