import { endpoints } from '@shiplog/contract';
import type { Figure } from './harness/figure.ts';
import { built, fill } from './harness/fill.ts';
import { firstAnswerMs } from './harness/http.ts';
import type { Outcome } from './harness/outcome.ts';
import { openStage } from './harness/stage.ts';

const rounds = 7;
const rows = 1_000_000;
const days = 30;

const day = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const range = (from: number, to: number) => `from=${ago(from)}&to=${ago(to)}`;
const { listChanges, getChangesHistogram, getQuality, getBoardFacts } = endpoints;
const analytics = [
  ...(['getDora', 'getFrequency', 'getStatusDistribution', 'getHeatmap', 'getTopDeployers'] as const),
  ...(['getPromotionFunnel', 'getDurationHistogram', 'getIncidents', 'getStages', 'getStability'] as const),
];

/** Responses from the folds, with their targets in milliseconds. */
const questions: readonly (readonly [title: string, path: string, atMost: number])[] = [
  ['changes, the last day', `${listChanges.path}?${range(day, 0)}`, 50],
  ['changes, an hour three weeks ago', `${listChanges.path}?${range(21 * day, 21 * day - 3_600_000)}`, 50],
  ['changes, the whole log', `${listChanges.path}?${range(days * day, 0)}`, 50],
  ['net changes, the last day', `${listChanges.path}?net=true&${range(day, 0)}`, 50],
  ['histogram of changes, the whole log', `${getChangesHistogram.path}?${range(days * day, 0)}`, 50],
  ['quality report', getQuality.path, 50],
  ['board facts', getBoardFacts.path, 50],
  ...analytics.map((name) => [name.slice(3), `${endpoints[name].path}?window=30d`, 150] as const),
];

/** What follows the log in folds: the time to build them, and of first responses after a new event. */
export async function folds(): Promise<Outcome> {
  const stage = await openStage();
  try {
    await fill(stage, { rows, days, services: 100, environments: 10 });
    const startedAt = performance.now();
    await built(stage);
    const seconds = (performance.now() - startedAt) / 1000;
    const figures: Figure[] = [
      { goal: 'folds', title: 'build of all folds, 1M rows', measured: [seconds], unit: 's', reach: { atMost: 60 } },
    ];
    for (const [title, path, atMost] of questions) {
      await firstAnswerMs(stage, path);
      const measured: number[] = [];
      for (let round = 0; round < rounds; round += 1) measured.push(await firstAnswerMs(stage, path));
      figures.push({
        goal: 'folds',
        title: `${title}, first response after an event`,
        measured,
        unit: 'ms',
        reach: { atMost },
      });
    }
    return { figures };
  } finally {
    await stage.close();
  }
}
