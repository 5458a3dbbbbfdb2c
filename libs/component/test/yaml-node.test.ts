import { expect, test } from 'vitest';
import { parseYaml } from '../src/yaml-node.ts';

/** The processor time that a map of so many names takes, the least of several. */
function costOf(names: number): number {
  const text = Array.from({ length: names }, (_, at) => `name-${at}: 1\n`).join('');
  const costs = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    expect(parseYaml(text).mistakes).toEqual([]);
    return process.cpuUsage(before).user;
  });
  return Math.min(...costs);
}

test('parsing a map takes time in proportion to its names', () => {
  const [few, many] = [costOf(500), costOf(20_000)];
  // Forty times as many names. Where each was compared with all before it, they took hundreds of times as long.
  expect(many).toBeLessThan(100 * few);
});
