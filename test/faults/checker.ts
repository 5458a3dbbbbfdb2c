import { isDeepStrictEqual } from 'node:util';
import { type DeploymentEvent, endpoints, type Matrix } from '@shiplog/contract';
import { type ClearingFacts, clearingIds } from '@shiplog/testing/clearings';
import { plainMatrix } from '@shiplog/testing/plain-matrix';
import { checkFolds } from './checks/folds.ts';
import { checkLog } from './checks/log.ts';
import { checkResumption } from './checks/readings.ts';
import { checkClearings, checkControlFrames } from './checks/resets.ts';
import { answerTimes, checkFreshness, checkReadiness } from './checks/spans.ts';
import { byId, type Violation } from './checks/violation.ts';
import type { System } from './system.ts';
import { inMb, mostOf, type Vitals } from './vitals.ts';

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
export async function checkEnd(system: System, end: End, vitals: readonly Vitals[]): Promise<Violation[]> {
  const { history, instances } = system;
  const { posts, readings, resumptions, controlFrames } = history;
  const clearings = clearingIds(end.clearings);
  const events = [...history.events.values()].sort(byId);
  const log = new Set(end.rows.map(({ id }) => id));
  const answers = answerTimes(posts);
  const matrices = await Promise.all(
    instances.map(async ({ url }) => (await (await fetch(`${url}${endpoints.getMatrix.path}`)).json()) as Matrix),
  );
  return [
    ...history.violations,
    ...checkLog({ posts, readings, events, log, clearings }),
    ...readings.flatMap((reading) => checkFreshness(reading, answers, history.impaired)),
    ...resumptions.flatMap((resumption) => checkResumption(resumption, clearings)),
    ...checkReadiness(history.probes, history.severed),
    ...checkControlFrames(controlFrames),
    ...checkClearings(end.clearings, controlFrames),
    ...checkMatrices(matrices, end.rows),
    ...(await checkFolds(system)),
    ...checkMemory(vitals),
  ];
}

function checkMatrices(matrices: readonly Matrix[], rows: End['rows']): Violation[] {
  const due = plainMatrix(rows.map(({ event }) => JSON.parse(event) as DeploymentEvent));
  return matrices.flatMap(({ generated_at: _, ...matrix }, n) =>
    isDeepStrictEqual(matrix, due)
      ? []
      : [{ kind: 'matrix', what: `the matrix of instance ${n} is not that of the log: ${difference(matrix, due)}` }],
  );
}

/** The first place that differs, as found and as due. */
function difference(matrix: Pick<Matrix, 'rows'>, due: Pick<Matrix, 'rows'>): string {
  const placesOf = ({ rows }: Pick<Matrix, 'rows'>) =>
    new Map<string, unknown>(
      rows.flatMap(({ service, slots, upcoming = {} }) => [
        ...Object.entries(slots).map(([environment, slot]) => [`${service} in ${environment}`, slot] as const),
        ...Object.entries(upcoming).map(([environment, slot]) => [`${service} next in ${environment}`, slot] as const),
      ]),
    );
  const [found, wanted] = [placesOf(matrix), placesOf(due)];
  const place = [...found.keys(), ...wanted.keys()].find(
    (name) => !isDeepStrictEqual(found.get(name), wanted.get(name)),
  );
  if (place === undefined) return 'the order of rows or environments';
  return `${place}: ${JSON.stringify(found.get(place))} instead of ${JSON.stringify(wanted.get(place))}`;
}

function checkMemory(vitals: readonly Vitals[]): Violation[] {
  const [residentBytes, backlogBytes] = [mostOf(vitals, 'residentBytes'), mostOf(vitals, 'backlogBytes')];
  const found: Violation[] = [];
  if (residentBytes > residentBytesMax)
    found.push({ kind: 'memory', what: `the instance without faults used ${inMb(residentBytes)}` });
  if (backlogBytes > backlogBytesMax) {
    found.push({ kind: 'memory', what: `the instance without faults buffered ${inMb(backlogBytes)} for one reader` });
  }
  return found;
}
