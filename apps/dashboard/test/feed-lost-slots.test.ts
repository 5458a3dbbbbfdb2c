import type { MatrixRow } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { boardOf } from '../src/board/board.ts';
import { hasLost } from '../src/feed/lost-slots.ts';

const current = {
  id: '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55',
  deployment_id: 'd',
  service: 's',
  environment: 'e',
  status: 'success',
  happened_at: '2026-05-04T09:12:02Z',
} as const;
const row = (service: string, ...environments: string[]): MatrixRow => ({
  service,
  slots: Object.fromEntries(environments.map((environment) => [environment, { current }])),
});
const board = (...rows: MatrixRow[]) => boardOf({ environments: [], rows });

test.each([
  ['another service comes', board(row('a', 'dev')), board(row('a', 'dev'), row('b', 'dev')), false],
  ['another slot comes', board(row('a', 'dev')), board(row('a', 'dev', 'prod')), false],
  ['nothing was there', board(), board(row('a', 'dev')), false],
  ['the log is cleared', board(row('a', 'dev')), board(), true],
  ['a slot is gone', board(row('a', 'dev', 'prod')), board(row('a', 'dev')), true],
  ['one service takes the place of another', board(row('a', 'dev')), board(row('b', 'dev')), true],
  ['a slot has an odd name', board(row('a', '__proto__')), board(row('a', 'dev')), true],
])('%s', (_, before, after, isLoss) => {
  expect(hasLost(before, after)).toBe(isLoss);
});
