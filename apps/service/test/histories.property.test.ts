import { runs } from '@shiplog/testing';
import { test } from 'vitest';
import { playHistories } from './support/play-history.ts';

test('every answer equals its plain model during a random history', { timeout: 600_000 }, () =>
  playHistories({ numRuns: runs(8), interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true }),
);
