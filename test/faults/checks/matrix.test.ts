import { type DeploymentEvent, statuses } from '@shiplog/contract';
import { anEvent, minute } from '@shiplog/testing';
import { Dice } from '@shiplog/testing/random';
import { expect, test } from 'vitest';
import { plainMatrix } from '../../../apps/service/test/support/plain-matrix.ts';
import { matrixOf } from './matrix.ts';

test('the matrix of a log is what the plain model says, whatever the log', () => {
  const dice = new Dice(7);
  for (let log = 0; log < 200; log++) {
    const events: DeploymentEvent[] = Array.from({ length: dice.between(0, 30) }, (_, n) => ({
      ...anEvent({
        service: dice.one(['billing', 'catalogue']),
        environment: dice.one(['dev', 'prod']),
        status: dice.one(statuses),
        happened_at: minute(dice.between(0, 9)),
      }),
      id: String(n).padStart(4, '0'),
    }));
    expect(matrixOf(events)).toEqual(plainMatrix(events));
  }
});
