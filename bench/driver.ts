import type { Socket } from 'node:net';
import { type DemoStatus, driverEndpoints, driverStreams } from '@shiplog/companions';
import { ProgramProcess } from '@shiplog/testing/process';
import { postLoad } from './harness/load.ts';
import type { Outcome } from './harness/outcome.ts';
import { run } from './harness/programs.ts';
import { keys, openStage } from './harness/stage.ts';
import { openSubscribers } from './harness/subscribers.ts';

const rounds = 5;
const subscribers = 1000;
const subscribersAtOnce = 200;
const history = driverEndpoints.runScenario.path.replace('{name}', 'history');

/** The driver's bulk load into the service, and the memory of a broadcast with many subscribers. */
export async function driver(): Promise<Outcome> {
  const stage = await openStage();
  const program = ProgramProcess.start('demo-driver', {
    PORT: '0',
    WRITE_API_URL: stage.url,
    API_KEY: keys.api,
    CONTROL_API_KEY: keys.control,
  });
  const sockets: Socket[] = [];
  try {
    const url = await program.ready();
    const loaded: number[] = [];
    const posted: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      loaded.push(await bulkLoad(url));
      posted.push((await postLoad(stage, 1, 2)).perSecond);
    }
    while (sockets.length < subscribers) {
      sockets.push(...(await openSubscribers(url, driverStreams.posted.path, subscribersAtOnce)));
    }
    const frames = countFrames(sockets);
    // The first runs cause one-time allocations in the process.
    await memoryAfterRuns(url, program.pid);
    const first = await memoryAfterRuns(url, program.pid);
    const later: number[] = [];
    for (let round = 0; round < rounds; round += 1) later.push(await memoryAfterRuns(url, program.pid));
    return {
      figures: [
        {
          goal: 'driver',
          title: "the driver's bulk load, one event at a time",
          measured: loaded,
          unit: '/s',
          yardstick: { title: 'wrk with one connection', measured: posted },
          reach: { atLeast: 0.3 },
        },
        {
          goal: 'driver',
          title: `memory with ${subscribers} subscribers on a broadcast, after each additional ${runsPerLook * 924} events (${frames().toLocaleString('en')} frames read)`,
          measured: later,
          unit: 'MB',
          yardstick: { title: `after the first ${runsPerLook * 924}`, measured: later.map(() => first) },
          reach: { atMost: 1.1 },
        },
      ],
    };
  } finally {
    for (const socket of sockets) socket.destroy();
    await program.terminate();
    await stage.close();
  }
}

const runsPerLook = 2;

/** Events per second in one run of the longest built-in scenario. */
async function bulkLoad(url: string): Promise<number> {
  let status = await ask(url, 'POST', history);
  while (status.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 50));
    status = await ask(url, 'GET', driverEndpoints.getDemoStatus.path);
  }
  if (status.errors > 0) throw new Error(`the service refused ${status.errors} events of the driver`);
  return (1000 * status.events_sent) / (Date.parse(status.finished_at ?? '') - Date.parse(status.started_at ?? ''));
}

async function ask(url: string, method: 'GET' | 'POST', path: string): Promise<DemoStatus> {
  const answer = await fetch(`${url}${path}`, { method });
  if (!answer.ok) throw new Error(`the driver returned ${answer.status} for ${path}`);
  return (await answer.json()) as DemoStatus;
}

async function memoryAfterRuns(url: string, pid: number): Promise<number> {
  for (let runs = 0; runs < runsPerLook; runs += 1) await bulkLoad(url);
  // Garbage collection continues to reduce memory for a while after a burst, so use the lowest of several samples.
  let lowest = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 20; look += 1) {
    lowest = Math.min(lowest, Number(await run('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return lowest;
}

/** Reads a stream. Returns a function that returns the number of frames so far. */
function countFrames(sockets: readonly Socket[]): () => number {
  let count = 0;
  for (const socket of sockets) socket.on('data', (chunk) => (count += chunk.toString().split('event: ').length - 1));
  return () => count;
}
