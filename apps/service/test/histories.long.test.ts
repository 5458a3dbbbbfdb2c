import { test } from 'vitest';
import { playHistories } from './support/play-history.ts';

test('every answer equals its plain model during each of 1,000 random histories', { timeout: 7_200_000 }, () =>
  playHistories({ numRuns: 1000 }),
);
