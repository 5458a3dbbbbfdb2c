import { expect, test } from 'vitest';
import { kinds } from './made-up.ts';
import { checkFreshness, checkReadiness } from './spans.ts';

const severed = [{ instance: 'one', from: 1000, until: 2000 }];

test.each([
  ['need not be ready without its database', { sentAt: 1100, answeredAt: 1200, status: 503 }, []],
  [
    'may be ready if the request was sent before its database was cut off',
    { sentAt: 900, answeredAt: 1200, status: 200 },
    [],
  ],
  [
    'may be ready if the response was sent after its database was back',
    { sentAt: 1100, answeredAt: 2100, status: 200 },
    [],
  ],
  ['must not be ready without its database', { sentAt: 1000, answeredAt: 2000, status: 200 }, ['readiness']],
] as const)('an instance %s', (_, probe, due) => {
  expect(kinds(checkReadiness([{ instance: 'one', ...probe }], severed))).toEqual(due);
  expect(checkReadiness([{ instance: 'other', ...probe }], severed)).toEqual([]);
});

test.each([
  ['in time', 6000, []],
  ['before the response to its post', 900, []],
  ['late during a fault', 9000, []],
  ['late without a fault', 6001, ['late']],
  ['late between two faults', 7400, ['late']],
] as const)('a frame arrives %s', (_, arrival, due) => {
  const reading = { reader: 'a reader', home: 'one', ids: ['1'], arrivedAt: [arrival] };
  const impaired = [
    { instance: 'one', from: 7500, until: 8000 },
    { instance: 'one', from: 0, until: 999 },
    { instance: 'other', from: 0, until: 20_000 },
  ];
  expect(kinds(checkFreshness(reading, new Map([['1', 1000]]), impaired))).toEqual(due);
});
