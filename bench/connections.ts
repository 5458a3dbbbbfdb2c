import type { Socket } from 'node:net';
import { endpoints } from '@shiplog/contract';
import { settledMemory } from './harness/memory.ts';
import type { Outcome } from './harness/outcome.ts';
import { openStage } from './harness/stage.ts';
import { openSubscribers } from './harness/subscribers.ts';

/**
 * The numbers of open subscribers at which to measure. The first thousand cause one-time allocations in the process.
 */
const steps = [1000, 2500, 5000, 7500, 10_000];
const atOnce = 250;
const megabyte = 1024 * 1024;

/** P8: the memory per idle subscriber, with 10,000 open. */
export async function idleConnections(): Promise<Outcome> {
  const stage = await openStage();
  const sockets: Socket[] = [];
  const points: [held: number, megabytes: number][] = [];
  try {
    for (const step of steps) {
      while (sockets.length < step) {
        sockets.push(...(await openSubscribers(stage.url, endpoints.streamDeployments.path, atOnce)));
      }
      const held = await stage.metric('shiplog_stream_connections');
      if (held !== step) throw new Error(`${held} of ${step} connections are open`);
      points.push([step, (await settledMemory(stage)) / megabyte]);
    }
    return {
      figures: [
        {
          goal: 'P8',
          title: `memory per idle subscriber, ${sockets.length.toLocaleString('en')} open`,
          measured: [kilobytesEach(points)],
          unit: 'KB',
          reach: { atMost: 20 },
        },
      ],
      curves: [
        {
          name: 'memory',
          title: 'Memory with idle subscribers',
          x: { label: 'subscribers' },
          y: { label: 'MB' },
          series: [{ name: 'shiplog', points }],
        },
      ],
    };
  } finally {
    for (const socket of sockets) socket.destroy();
    await stage.close();
  }
}

/** The memory per connection between the first and the last point, in KB. */
function kilobytesEach(points: readonly (readonly [held: number, megabytes: number])[]): number {
  const [firstHeld, firstMegabytes] = points[0] ?? [Number.NaN, Number.NaN];
  const [lastHeld, lastMegabytes] = points.at(-1) ?? [Number.NaN, Number.NaN];
  return ((lastMegabytes - firstMegabytes) * 1024) / (lastHeld - firstHeld);
}
