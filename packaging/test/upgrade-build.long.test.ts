import { expect, test } from 'vitest';
import { upgrade } from './support/upgrade-run.ts';

/** For example 100000000. */
const rows = Number(process.env.UPGRADE_ROWS || 200_000);

test.each(['0003', '0004'])(
  'the long log of a service with migration %s is usable at once',
  { timeout: 0 },
  async (last) => {
    const { lines, refused } = await upgrade({ last, rows });
    expect(refused).toBeGreaterThan(0);
    const told = lines.filter((line) => line.startsWith('preparing analytics and releases'));
    expect(told.length).toBeGreaterThan(2);
    expect(told.at(-1)).toMatch(/events are in, [\d,]+ a second, about .* left$/);
  },
);
