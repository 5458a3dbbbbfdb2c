import { anEvent } from '@shiplog/testing/events';
import { percentile } from './figure.ts';
import { Publisher, type Target } from './publisher.ts';
import { monotonicMs, stampText } from './stamp.ts';

/** The options of the process, as JSON in its only argument. */
export interface PosterTask {
  readonly target: Target;
  readonly connections: number;
  readonly perSecond: number;
  readonly events: number;
  /** The number of services among which slots are spread. */
  readonly services: number;
  readonly environments: number;
}

/** The times from when a post was due to its response, even if no connection was free then. */
export interface PosterReport {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The CPU time of the process. */
  readonly processorSeconds: number;
}

const tickMs = 1;
const leadMs = 100;
const statuses = ['in-progress', 'success', 'failure'] as const;

const task = JSON.parse(process.argv[2] ?? '') as PosterTask;
const idle: Publisher[] = [];
while (idle.length < task.connections) idle.push(await Publisher.open(task.target));
const startsAt = monotonicMs() + leadMs;
const timesMs: number[] = [];
let sent = 0;
process.on('disconnect', () => process.exit());
const ticks = setInterval(postDue, tickMs);

/** An open load model: posts are due at fixed times, however long earlier responses take. */
function dueAt(number: number): number {
  return startsAt + (number * 1000) / task.perSecond;
}

function postDue(): void {
  while (sent < task.events && dueAt(sent) <= monotonicMs()) {
    const publisher = idle.pop();
    if (!publisher) return;
    void post(publisher, sent);
    sent += 1;
  }
}

async function post(publisher: Publisher, number: number): Promise<void> {
  await publisher.post(bodyOf(number));
  timesMs.push(monotonicMs() - dueAt(number));
  idle.push(publisher);
  if (timesMs.length === task.events) report();
  else postDue();
}

function bodyOf(number: number): string {
  const event = anEvent({
    deployment_id: stampText({ number, publishedAt: dueAt(number) }),
    service: `service-${number % task.services}`,
    environment: `env-${Math.floor(number / task.services) % task.environments}`,
    status: statuses[number % statuses.length] ?? 'success',
    happened_at: new Date().toISOString(),
    version: '1.2.3',
    run_url: 'https://ci.example.com/runs/1234567',
    actor: 'alice',
    ref: 'refs/heads/main',
    sha: '0123456789abcdef',
  });
  return JSON.stringify(event);
}

function report(): void {
  const { user, system } = process.cpuUsage();
  clearInterval(ticks);
  for (const publisher of idle) publisher.close();
  const told: PosterReport = {
    p50Ms: percentile(timesMs, 0.5),
    p99Ms: percentile(timesMs, 0.99),
    maxMs: percentile(timesMs, 1),
    processorSeconds: (user + system) / 1e6,
  };
  process.send?.(told, () => process.disconnect());
}
