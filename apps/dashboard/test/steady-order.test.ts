import { expect, test } from 'vitest';
import { steadyOrder } from '../src/matrix/steady-order.ts';

test.each([
  ['rows that nobody has seen stand in order', 'abc', '', 'abc', 0],
  ['rows stand as they stood', 'abc', 'cab', 'cab', 2],
  ['what comes stands below', 'abcd', 'bd', 'bdac', 2],
  ['what comes and belongs below strays not', 'abcd', 'ab', 'abcd', 0],
  ['what goes leaves the others as they were', 'acd', 'abcd', 'acd', 0],
  ['what goes and comes back stands below', 'abc', 'bc', 'bca', 1],
])('%s', (_, sorted, before, due, strays) => {
  const rows = [...sorted].map((service) => ({ service, slots: {} }));
  const order = steadyOrder(rows, [...before]);
  expect([order.rows.map(({ service }) => service).join(''), order.strays]).toEqual([due, strays]);
  expect(order.rows.every((row) => rows.includes(row))).toBe(true);
});
