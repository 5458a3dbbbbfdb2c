import type { ProgramProcess } from '@shiplog/testing/process';
import { type Cost, costOf } from './harness/cost.ts';
import { type Figure, summary } from './harness/figure.ts';
import type { Curve, Outcome } from './harness/outcome.ts';
import { openStage, type Stage } from './harness/stage.ts';

const rounds = 3;
/** The number of instances that share the database to measure the cost of each. */
const sizes = [1, 2, 4, 8] as const;
const sizeMax = 8;
/** Measures the load that additional instances cause in the database. */
export async function instances(): Promise<Outcome> {
  const stage = await openStage();
  try {
    const costs = new Map<number, Cost[]>(sizes.map((size) => [size, []]));
    for (let round = 0; round < rounds; round += 1) await costRound(stage, costs);
    return { figures: costFigures(costs), curves: [costCurve(costs)] };
  } finally {
    await stage.close();
  }
}

/** Measures the cost at growing sizes, so that between two measurements only instances are added. */
async function costRound(stage: Stage, costs: ReadonlyMap<number, Cost[]>): Promise<void> {
  const further: ProgramProcess[] = [];
  const urls = [stage.url];
  try {
    for (const size of sizes) {
      while (urls.length < size) {
        const instance = stage.startInstance();
        further.push(instance);
        urls.push(await instance.ready());
      }
      costs.get(size)?.push(await costOf(stage, urls));
    }
  } finally {
    await Promise.all(further.map((instance) => instance.terminate()));
  }
}

function costFigures(costs: ReadonlyMap<number, Cost[]>): Figure[] {
  const one = costs.get(1) ?? [];
  const most = costs.get(sizeMax) ?? [];
  const further = (of: (cost: Cost) => number) =>
    most.map((cost, round) => (of(cost) - of(one[round] ?? cost)) / (sizeMax - 1));
  const figure = (title: string, of: (cost: Cost) => number, unit: string, atMost: number): Figure => ({
    goal: 'instances',
    title: `${title}, for each additional instance of ${sizeMax}`,
    measured: further(of),
    unit,
    yardstick: { title: 'with one', measured: one.map(of) },
    reach: { atMost },
  });
  return [
    figure('processor time of the database per second without posts', ({ idleMs }) => idleMs, 'ms', 1),
    figure('transactions of the database without posts', ({ transactions }) => transactions, '/s', 1),
    figure('processor time of the database per post with its frames', ({ postMs }) => postMs, 'ms', 0.5),
  ];
}

function costCurve(costs: ReadonlyMap<number, Cost[]>): Curve {
  const series = (name: string, of: (cost: Cost) => number) => ({
    name,
    points: [...costs].map(([size, rounds]) => [size, summary(rounds.map(of)).median] as const),
  });
  return {
    name: 'instances',
    title: 'Cost of instances for the database',
    x: { label: 'instances' },
    y: { label: 'ms or 1/s' },
    series: [
      series('processor time per second without posts', ({ idleMs }) => idleMs),
      series('transactions per second without posts', ({ transactions }) => transactions),
      series('processor time per post', ({ postMs }) => postMs),
    ],
  };
}
