import { expect, test } from 'vitest';
import { parseYaml } from '../src/yaml-node.ts';

/** Parses a map with this many names several times and returns the lowest CPU time. */
function costOf(names: number): number {
  const text = Array.from({ length: names }, (_, at) => `name-${at}: 1\n`).join('');
  const costs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    expect(parseYaml(text).mistakes).toEqual([]);
    return process.cpuUsage(before).user;
  });
  return Math.min(...costs);
}

test('parsing a map takes time proportional to its number of names', () => {
  const [few, many] = [costOf(500), costOf(20_000)];
  // This map has forty times as many names. Comparing each name with all earlier names would take hundreds of times as
  // long.
  expect(many).toBeLessThan(100 * few);
});
