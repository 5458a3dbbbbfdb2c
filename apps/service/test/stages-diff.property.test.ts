import type { DeploymentEvent } from '@shiplog/contract';
import { emptyLog, micros, runs } from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ladderServices } from './support/ladder-services.ts';
import { plainDiff, plainStagesDiff } from './support/plain-environments-diff.ts';
import { one, several, stageOf } from './support/plain-stage.ts';
import { releaseHistory } from './support/release-history.ts';
import { storedEvents } from './support/stored.ts';

const ladders = [
  [several('Early', ['D?V', 'ü*'], /^(dev|Ünï\/1)$/), one('prod')],
  [one('dev'), several('live', ['prod', 'ünï/1', 'dr'], /^(prod|Ünï\/1)$/), several('none', ['dr'], /^$/)],
  [several('all', ['*'], /^/), several('dev', ['dev'], /^$/)],
];

/** Sides in the promotion order with the same index. */
const questions = [
  ...[
    [0, 'stage:early', 'prod'] as const,
    [0, 'stage:Early', 'stage:PROD'] as const,
    [0, 'dev', 'stage:early'] as const,
  ],
  ...[[1, 'dev', 'stage:live'] as const, [1, 'stage:live', 'stage:DEV'] as const, [1, 'stage:none', 'prod'] as const],
  ...[
    [2, 'stage:all', 'stage:all'] as const,
    [2, 'prod', 'stage:all'] as const,
    [2, 'stage:all', 'stage:dev'] as const,
  ],
];

const mirrored: Record<string, string> = {
  ahead: 'behind',
  behind: 'ahead',
  'only-from': 'only-to',
  'only-to': 'only-from',
};

const log = ladderServices(ladders);

/** The environments of a side. */
function sideIn(rows: readonly DeploymentEvent[], at: number, side: string): string[] {
  const ladder = ladders[at] ?? [];
  if (!side.startsWith('stage:')) return [side];
  const names = [...new Set(rows.map(({ environment }) => environment))];
  return names.filter((name) => `stage:${stageOf(ladder, name)?.name}`.toLowerCase() === side.toLowerCase());
}

test('the difference of stages matches the model at any time, and swapping the sides mirrors it', {
  timeout: 600_000,
}, async () => {
  const moment = fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(releaseHistory, moment, async (history, second) => {
      await emptyLog(log.databaseUrl);
      await appendAll(log.databaseUrl, history);
      const at = second === undefined ? undefined : `2026-05-04T09:12:0${second}Z`;
      const rows = (await storedEvents(log.databaseUrl)).filter(
        (row) => at === undefined || micros(row) <= micros({ happened_at: at }),
      );
      for (const [place, from, to] of questions) {
        const client = log.clientAt(place);
        const more = at === undefined ? {} : { at };
        const there = (await client.diffEnvironments({ query: { from, to, ...more } })).body;
        const sides = { from: sideIn(rows, place, from), to: sideIn(rows, place, to), release: 'oldest' as const };
        expect(there).toEqual({ from, to, at: at ?? null, ...plainStagesDiff(rows, sides) });
        const back = (await client.diffEnvironments({ query: { from: to, to: from, ...more } })).body;
        const relations = there.items.map(({ service, relation }) => [service, mirrored[relation] ?? relation]);
        expect(back.items.map(({ service, relation }) => [service, relation])).toEqual(relations);
        expect(back.items.map((item) => [item.from, item.to])).toEqual(there.items.map((item) => [item.to, item.from]));
      }
      const plain = (await log.clientAt(2).diffEnvironments({ query: { from: 'dev', to: 'prod', ...(at && { at }) } }))
        .body;
      expect(plain).toEqual({ from: 'dev', to: 'prod', at: at ?? null, ...plainDiff(rows, 'dev', 'prod') });
    }),
    { numRuns: runs(12), interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
  );
});
