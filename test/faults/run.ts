import { nilId } from '@shiplog/contract';
import { readClearings } from '@shiplog/testing/clearings';
import { Dice } from '@shiplog/testing/random';
import { checkEnd } from './checker.ts';
import type { Violation } from './checks/violation.ts';
import { History } from './history.ts';
import { Injector, type KindCount, type Lane } from './injector.ts';
import { clientFaults, openNeverReaders, openSlowLoris, resetOver, resets } from './kinds/clients.ts';
import { clockFaults } from './kinds/clocks.ts';
import { diskFaults } from './kinds/disk.ts';
import { networkFaults } from './kinds/network.ts';
import { processFaults } from './kinds/processes.ts';
import { finish, Reader, type ReaderHabits } from './readers.ts';
import { System } from './system.ts';
import { takeVitals, type Vitals } from './vitals.ts';
import { followControl, poll, probe } from './watches.ts';
import { services, Writers } from './writers.ts';

export interface RunOptions {
  readonly seed: number;
  /** The minimum duration of the faults. */
  readonly durationMs: number;
  /** Faults continue until this many posts have status 201, but not longer than `durationMsMax`. */
  readonly postsMin: number;
  readonly durationMsMax: number;
  readonly postsPerSecond: number;
  /** The delay between two faults. */
  readonly calmMs: { readonly min: number; readonly max: number };
  readonly vitalsEveryMs: number;
  /** Called with a line for each fault. */
  readonly log: (line: string) => void;
  /** Ends the run early without a failure. */
  readonly signal: AbortSignal;
}

export interface RunResult {
  readonly seed: number;
  readonly seconds: number;
  readonly kinds: ReadonlyMap<string, KindCount>;
  readonly history: History;
  readonly violations: readonly Violation[];
  readonly vitals: readonly Vitals[];
  /** Why a full database disk was only simulated. Empty if the disk was really full. */
  readonly noDisk: string;
}

const lookAgainMs = 50;
const resetsAreRarer = 50;
/** Clients that are connected from the start to the instance that no fault stops. */
const stayingNeverReaders = 8;

const breaking = [...processFaults, ...networkFaults, ...diskFaults];
const annoying = [...clockFaults, ...clientFaults];
/** All kinds of faults in a run. */
export const faultKinds = [...breaking, ...annoying, ...resets].map(({ kind }) => kind);

/**
 * Sets up the system under test, injects faults under load, and checks everything sent and received.
 *
 * ```
 *  writers, readers,        three        proxies that can      one server that
 *  probes, polls     ◄──► instances ◄──► cut, silence or  ◄──► can be killed, on a
 *                                        lose messages         disk that can be full
 * ```
 */
export async function runFaults(options: RunOptions): Promise<RunResult> {
  const startedAt = performance.now();
  const history = new History();
  const system = await System.open(history);
  const injector = new Injector(system, options.log);
  try {
    const { readers, vitals } = await loadAndBreak(system, injector, options);
    const violations = await checkEnd(system, await endOf(system, readers), vitals);
    const { noDisk } = system.database;
    const seconds = (performance.now() - startedAt) / 1000;
    return { seed: options.seed, seconds, kinds: injector.kinds, history, violations, vitals, noDisk };
  } finally {
    await system.close();
  }
}

/** Starts load, observers and faults. Returns the readers, which keep running. */
async function loadAndBreak(system: System, injector: Injector, options: RunOptions) {
  const { instances, history, spared } = system;
  const dice = () => new Dice(main.between(0, 2 ** 31));
  const main = new Dice(options.seed);
  const end = new AbortController();
  const faultsOver = whenEnough(history, options);
  const readers = habitsOf(system).map((habits) => new Reader(habits, instances, history, dice()));
  const nasty = [
    ...openNeverReaders(spared, stayingNeverReaders),
    openSlowLoris(spared, true),
    openSlowLoris(spared, false),
  ];
  const watches = Promise.all([
    takeVitals(system, {
      everyMs: options.vitalsEveryMs,
      isCalm: () => injector.underWay === 0,
      signal: end.signal,
    }),
    followControl(instances, history, dice(), end.signal),
    ...instances.map((instance) => probe(instance, history, end.signal)),
    ...instances.map((instance) => poll(instance, history, end.signal)),
  ]);
  const writers = new Writers({ instances, history, dice: dice(), perSecond: options.postsPerSecond });
  await Promise.all(lanes(options).map((lane) => injector.run(lane, dice(), faultsOver)));
  await system.allReady();
  await writers.stop();
  await resetOver(history);
  end.abort();
  const [vitals] = await watches;
  for (const socket of nasty) socket.destroy();
  return { readers, vitals };
}

/** Aborted after enough faults and posts, or at the end of the run. */
function whenEnough(history: History, { durationMs, durationMsMax, postsMin, signal }: RunOptions): AbortSignal {
  const over = new AbortController();
  const startedAt = performance.now();
  const look = setInterval(() => {
    const ms = performance.now() - startedAt;
    if (!signal.aborted && ms < durationMsMax && (ms < durationMs || history.stored < postsMin)) return;
    clearInterval(look);
    over.abort();
  }, lookAgainMs);
  return over.signal;
}

/** The lanes of faults. Outages are sequential; minor faults and resets overlap with them. */
function lanes({ calmMs }: RunOptions): readonly Lane[] {
  const rare = { min: resetsAreRarer * calmMs.min, max: resetsAreRarer * calmMs.max };
  return [
    { faults: breaking, calmMs, breaking: true },
    { faults: annoying, calmMs, breaking: false },
    { faults: resets, calmMs: rare, breaking: false },
  ];
}

function habitsOf({ instances }: System): readonly ReaderHabits[] {
  const [service = '', other = ''] = services;
  return [
    ...instances.map((home) => ({ name: `the reader that stays with ${home.name}`, home })),
    { name: 'the reader from the beginning', after: nilId },
    { name: 'the reader that switches often', after: nilId, framesPerVisitMax: 400 },
    { name: 'the slow reader', after: nilId, slow: true },
    { name: 'the live reader' },
    { name: 'the reader of one service', after: nilId, service, framesPerVisitMax: 200 },
    { name: 'the slow reader of another service', after: nilId, service: other, slow: true },
  ];
}

/** Waits until every reader has the complete log. Then reads the log once more and returns it. */
async function endOf(system: System, readers: readonly Reader[]) {
  const { database, history, spared } = system;
  const rows = await database.query<{ id: string; service: string; event: string }>(
    'select id, service, event from deployments order by id',
  );
  for (const { id, event } of rows) history.saw('the table', id, event);
  const last = new Reader({ name: 'the last reader', after: nilId }, [spared], history, new Dice(0));
  await finish([...readers, last], rows);
  return { rows, clearings: await readClearings(database.url) };
}
