import type { Socket } from 'node:net';
import { endpoints } from '@shiplog/contract';
import type { Outcome } from './harness/outcome.ts';
import { openStage } from './harness/stage.ts';
import { openSubscribers } from './harness/subscribers.ts';

const connections = 10_000;
const atOnce = 200;

const open = (url: string) => openSubscribers(url, endpoints.streamDeployments.path, atOnce);

/** P8: what one idle subscriber costs in memory, with 10,000 of them held. */
export async function idleConnections(): Promise<Outcome> {
  const stage = await openStage();
  const sockets: Socket[] = [];
  try {
    // A first thousand settles what the process allocates once.
    while (sockets.length < 1000) sockets.push(...(await open(stage.url)));
    const before = await settledMemory(stage.metric);
    while (sockets.length < connections) sockets.push(...(await open(stage.url)));
    const held = await stage.metric('shiplog_stream_connections');
    if (held !== connections) throw new Error(`${held} of ${connections} connections are held`);
    const after = await settledMemory(stage.metric);
    const kilobytes = (after - before) / (connections - 1000) / 1024;
    return {
      figures: [
        {
          goal: 'P8',
          title: `memory per idle subscriber, ${connections} held`,
          measured: [kilobytes],
          unit: 'KB',
          reach: { atMost: 20 },
        },
      ],
    };
  } finally {
    for (const socket of sockets) socket.destroy();
    await stage.close();
  }
}

/** Memory falls for a while after a burst, as garbage is collected: the lowest of some looks. */
async function settledMemory(metric: (name: string) => Promise<number>): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 40; look += 1) {
    lowest = Math.min(lowest, await metric('process_resident_memory_bytes'));
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return lowest;
}
