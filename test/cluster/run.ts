import { setTimeout as delay } from 'node:timers/promises';
import { endpoints, nilId } from '@shiplog/contract';
import { metricsOf, ProgramProcess } from '@shiplog/testing';
import { Dice } from '@shiplog/testing/random';
import { checkLog } from '../faults/checks/log.ts';
import { byId, type Violation } from '../faults/checks/violation.ts';
import { History, type Post } from '../faults/history.ts';
import { keys, type Place } from '../faults/instance.ts';
import { finish, Reader, type ReaderHabits } from '../faults/readers.ts';
import { services, Writers } from '../faults/writers.ts';
import { Cluster } from './cluster.ts';
import type { ClusterFault } from './faults.ts';
import { questioned } from './questioner.ts';

export interface ClusterRunOptions {
  readonly synchronous: boolean;
  readonly faults: readonly ClusterFault[];
  readonly log: (line: string) => void;
}

export interface ClusterRunResult {
  readonly violations: readonly Violation[];
  /** The number of posts with status 201. */
  readonly stored: number;
  readonly frames: number;
  /** The number of responses from all instances. */
  readonly answers: number;
  readonly standbyReads: number;
  /** The output of each instance. */
  readonly outputs: readonly string[];
}

const postsPerSecond = 150;
const lookAgainMs = 100;
const readyWithinMs = 120_000;
/** How long the load runs on a complete cluster before the first fault and after each fault. */
const calmMs = 2000;

/**
 * Injects faults into a real cluster under load, one at a time. Each fault starts and ends with a complete cluster. One
 * instance has a list of all hosts and reads from standbys, one connects to the proxy, and one connects to the pooler
 * in front of the proxy.
 */
export async function runOnCluster({ synchronous, faults, log }: ClusterRunOptions): Promise<ClusterRunResult> {
  const cluster = await Cluster.open({ synchronous });
  const instances: ServiceInstance[] = [];
  try {
    await cluster.start();
    for (const [name, way] of Object.entries(cluster.ways)) instances.push(await openInstance(name, way));
    const history = new History();
    const readers = habitsOf(instances).map((habits, n) => new Reader(habits, instances, history, new Dice(n)));
    const writers = new Writers({ instances, history, dice: new Dice(9), perSecond: postsPerSecond, stay: true });
    await delay(calmMs);
    const ending = new AbortController();
    const questions = instances.map((instance) => questioned(instance, history, ending.signal));
    for (const fault of faults) {
      const over = new AbortController();
      const successor = cluster.succeeded(await cluster.primary(), over.signal);
      const from = performance.now();
      await fault.happen(cluster);
      await cluster.settled();
      await allReady(instances);
      over.abort();
      const back = (await successor.then((at) => at && takenAgain(history.posts, instances, at))) ?? '';
      log(`${fault.kind}: ${outage(history.posts, from)}${back}`);
      await delay(calmMs);
    }
    await writers.stop();
    ending.abort();
    const answers = await Promise.all(questions);
    const metrics = await Promise.all(instances.map(({ url }) => metricsOf(url)));
    return {
      ...(await end(cluster, history, readers)),
      answers: answers.reduce((sum, count) => sum + count, 0),
      standbyReads: metrics.reduce((sum, { standbyReads }) => sum + standbyReads, 0),
      outputs: instances.map(({ process }) => process.output),
    };
  } finally {
    for (const { process } of instances) await process.kill();
    await cluster.close();
  }
}

/** An instance of the service on the cluster, which no fault stops itself. */
interface ServiceInstance extends Place {
  readonly process: ProgramProcess;
}

async function openInstance(name: string, database: Readonly<Record<string, string>>): Promise<ServiceInstance> {
  const settings = { ...database, API_KEY: keys.api, CONTROL_API_KEY: keys.control, PORT: '0' };
  const process = ProgramProcess.start('service', settings);
  return { name, url: await process.ready(), quiet: false, process };
}

function habitsOf(instances: readonly ServiceInstance[]): readonly ReaderHabits[] {
  return [
    ...instances.map((home) => ({ name: `the reader that stays with ${home.name}`, home, after: nilId })),
    { name: 'the reader that switches', after: nilId, framesPerVisitMax: 1000 },
    { name: 'the reader of one service', after: nilId, service: services[0] ?? '' },
  ];
}

/** Waits until the readers have the complete log, and then checks everything that was sent and received. */
async function end(cluster: Cluster, history: History, readers: readonly Reader[]) {
  const rows = await cluster.onPrimary<{ id: string; service: string; event: string }>(
    'select id, service, event from deployments order by id',
  );
  for (const { id, event } of rows) history.saw('the table', id, event);
  await finish(readers, rows);
  const events = [...history.events.values()].sort(byId);
  const log = new Set(rows.map(({ id }) => id));
  const violations = [...history.violations, ...checkLog({ ...history, events, log, clearings: [] })];
  return { violations, stored: history.stored, frames: history.frames };
}

async function allReady(instances: readonly ServiceInstance[]): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  for (const { name, url, process } of instances) {
    const isReady = () => fetch(`${url}${endpoints.getReadiness.path}`, { signal: AbortSignal.timeout(10_000) });
    while (!(await isReady().catch(() => undefined))?.ok) {
      const output = process.output.slice(-3000);
      if (!process.running) throw new Error(`${name} has ended:\n${output}`);
      if (performance.now() > deadline) throw new Error(`${name} was not ready after ${readyWithinMs} ms:\n${output}`);
      await delay(lookAgainMs);
    }
  }
}

/** The longest time between two stored posts, starting at a given time. */
function outage(posts: readonly Post[], from: number): string {
  const times = posts.flatMap(({ id, answeredAt }) => (id !== undefined && answeredAt > from ? [answeredAt] : []));
  const sorted = [from, ...times.sort((left, right) => left - right)];
  const gaps = sorted.slice(1).map((at, n) => at - (sorted[n] ?? at));
  return `no post was stored for ${(Math.max(0, ...gaps) / 1000).toFixed(1)} s`;
}

/** The time until each instance stored a post after another primary had committed. */
function takenAgain(posts: readonly Post[], instances: readonly ServiceInstance[], from: number): string {
  const waits = instances.map(({ name }) => {
    const after = posts.filter(({ id, instance, answeredAt }) => id && instance === name && answeredAt > from);
    return `${name} ${((Math.min(...after.map(({ answeredAt }) => answeredAt)) - from) / 1000).toFixed(1)} s`;
  });
  return `; after another primary had committed: ${waits.join(', ')}`;
}
