import { inspect } from 'node:util';
import type { Outcome, Result } from './outcome.ts';
import { Absent } from './programs.ts';
import { duration, gaps, pointsOf, table } from './report.ts';

export interface Bench {
  /** The goals that the benchmark measures. */
  readonly goals: readonly string[];
  readonly measure: () => Promise<Outcome>;
  /** Whether the benchmark is too long for a run of all benchmarks. */
  readonly onlyIfAsked?: boolean;
}

/** Runs benchmarks sequentially and reports each when it ends. A failure does not stop the others. */
export async function runBenches(
  benches: readonly (readonly [name: string, bench: Bench])[],
  print: (text: string) => void,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, [name, bench]] of benches.entries()) {
    const place = `[${index + 1}/${benches.length}] ${name}`;
    print(`${place} …`);
    const result = await runBench(name, bench, print);
    print(`${place} took ${duration(result.seconds)}`);
    if (result.outcome.figures.length > 0) print(table(result.outcome.figures));
    for (const curve of result.outcome.curves ?? []) print(pointsOf(curve));
    for (const line of gaps([result])) print(line);
    print('');
    results.push(result);
  }
  return results;
}

async function runBench(name: string, bench: Bench, print: (text: string) => void): Promise<Result> {
  const startedAt = performance.now();
  const end = await bench.measure().then(
    (outcome) => ({ outcome }),
    (error: unknown) => {
      const outcome = { figures: [] };
      if (error instanceof Absent) return { outcome, leftOut: error.message };
      print(inspect(error));
      const [line = ''] = String(error).split('\n', 1);
      return { outcome, error: line };
    },
  );
  const measured = new Set(end.outcome.figures.map(({ goal }) => goal));
  return {
    name,
    seconds: (performance.now() - startedAt) / 1000,
    ...end,
    notMeasured: bench.goals.filter((goal) => !measured.has(goal)),
  };
}
