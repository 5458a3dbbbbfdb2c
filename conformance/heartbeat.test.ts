import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Api, unique } from './api.ts';
import { suite } from './suite.ts';

const heartbeatMs = 15_000;
/** A ping may be a little late on a busy machine, and a little early by the clock of the other side. */
const earlyMs = 500;
const lateMs = 3000;

interface Beat {
  readonly afterMs: number;
  readonly text: string;
}

/** Opens a stream, lets something happen while it is open, and waits for its first ping. */
async function firstBeat(api: Api, service: string, meanwhile: () => Promise<unknown>): Promise<Beat> {
  const stream = await api.stream({ service });
  const openedAt = performance.now();
  await meanwhile();
  await stream.until(({ text }) => text.includes(': ping\n'));
  return { afterMs: performance.now() - openedAt, text: stream.text };
}

suite('heartbeat', (api) => {
  test('§6 rule 2, reading 6.5: a ping comes every 15 s, whatever else is sent', { timeout: 25_000 }, async () => {
    const [quietService, busyService] = [unique(), unique()];
    const nothing = () => Promise.resolve();
    // Half a heartbeat is the scene of this test, not a wait for something: a server that put its ping off at every
    // frame would be 7.5 s late.
    const halfway = () => pause(heartbeatMs / 2).then(() => api.append({ service: busyService }));
    const beats = await Promise.all([firstBeat(api, quietService, nothing), firstBeat(api, busyService, halfway)]);
    for (const { afterMs } of beats) {
      expect(afterMs).toBeGreaterThan(heartbeatMs - earlyMs);
      expect(afterMs).toBeLessThan(heartbeatMs + lateMs);
    }
    const [quiet, busy] = beats;
    expect(quiet?.text).toMatch(/^retry: 2000\n\n?: ping\n\n?$/);
    expect(busy?.text).toMatch(/^retry: 2000\n\n?id: [^\n]+\nevent: deployment\ndata: [^\n]+\n\n: ping\n\n?$/);
  });
});
