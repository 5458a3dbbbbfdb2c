import { isDeepStrictEqual } from 'node:util';
import { type DeploymentEvent, endpoints, type Matrix } from '@shiplog/contract';
import { type ClearingFacts, clearingIds } from '@shiplog/testing/clearings';
import { plainMatrix } from '@shiplog/testing/plain-matrix';
import { checkOrder, checkPosts } from './checks/posts.ts';
import { checkReading, checkResumption } from './checks/readings.ts';
import { checkClearings, checkControlFrames } from './checks/resets.ts';
import { answerTimes, checkFreshness, checkReadiness } from './checks/spans.ts';
import { byId, type Violation } from './checks/violation.ts';
import type { System } from './system.ts';
import type { Vitals } from './vitals.ts';

export interface End {
  /** The rows of the log table, ordered by id. */
  readonly rows: readonly { readonly id: string; readonly event: string }[];
  readonly clearings: ClearingFacts;
}

/** Far more memory than an instance needs. */
const residentBytesMax = 400_000_000;
/** The hub's recent frames and its current batch. Each is at most one page of the log: 1 MiB plus one row. */
const backlogBytesMax = 2_500_000;

/** Checks the guarantees against everything sent and received in a run. */
export async function checkEnd(
  { history, instances }: System,
  end: End,
  vitals: readonly Vitals[],
): Promise<Violation[]> {
  const { posts, readings, resumptions, controlFrames } = history;
  const clearings = clearingIds(end.clearings);
  const events = [...history.events.values()].sort(byId);
  const log = new Set(end.rows.map(({ id }) => id));
  const answers = answerTimes(posts);
  const matrices = await Promise.all(instances.map(({ url }) => readMatrix(url)));
  return [
    ...history.violations,
    ...checkPosts({ posts, events, log, clearings }),
    ...checkOrder(posts),
    ...readings.flatMap((reading) => checkReading({ reading, events, clearings })),
    ...readings.flatMap((reading) => checkFreshness(reading, answers, history.impaired)),
    ...resumptions.flatMap((resumption) => checkResumption(resumption, clearings)),
    ...checkReadiness(history.probes, history.severed),
    ...checkControlFrames(controlFrames),
    ...checkClearings(end.clearings, controlFrames),
    ...checkMatrices(matrices, end.rows),
    ...checkMemory(vitals),
  ];
}

async function readMatrix(url: string): Promise<Omit<Matrix, 'generated_at'>> {
  const { environments, rows } = (await (await fetch(`${url}${endpoints.getMatrix.path}`)).json()) as Matrix;
  return { environments, rows };
}

function checkMatrices(matrices: readonly Omit<Matrix, 'generated_at'>[], rows: End['rows']): Violation[] {
  const due = plainMatrix(rows.map(({ event }) => JSON.parse(event) as DeploymentEvent));
  return matrices.flatMap((matrix, n) =>
    isDeepStrictEqual(matrix, due)
      ? []
      : [{ kind: 'matrix', what: `the matrix of instance ${n} is not that of the log` }],
  );
}

function checkMemory(vitals: readonly Vitals[]): Violation[] {
  const residentBytes = Math.max(...vitals.map((sample) => sample.residentBytes));
  const backlogBytes = Math.max(...vitals.map((sample) => sample.backlogBytes));
  const found: Violation[] = [];
  if (residentBytes > residentBytesMax)
    found.push({ kind: 'memory', what: `the instance without faults used ${inMb(residentBytes)}` });
  if (backlogBytes > backlogBytesMax) {
    found.push({ kind: 'memory', what: `the instance without faults buffered ${inMb(backlogBytes)} for one reader` });
  }
  return found;
}

function inMb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
