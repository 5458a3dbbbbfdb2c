import { expect, test } from 'vitest';
import { parseYaml } from '../src/yaml-node.ts';

/** The least processor time of several attempts to parse a map with this many names. */
function costOf(names: number): number {
  const text = Array.from({ length: names }, (_, at) => `name-${at}: 1\n`).join('');
  const costs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    expect(parseYaml(text).mistakes).toEqual([]);
    return process.cpuUsage(before).user;
  });
  return Math.min(...costs);
}

test('parsing a map takes time in proportion to its number of names', () => {
  const [few, many] = [costOf(500), costOf(20_000)];
  // This map has forty times as many names. Comparing each with all earlier ones took hundreds of times as long.
  expect(many).toBeLessThan(100 * few);
});
