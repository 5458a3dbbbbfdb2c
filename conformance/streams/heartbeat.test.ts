import { setTimeout as pause } from 'node:timers/promises';
import type { StreamReader } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { unique } from '../support/api.ts';
import { Control } from '../support/control.ts';
import { suite } from '../support/suite.ts';

const heartbeatMs = 15_000;
/** A ping may be a little late on a busy machine, and a little early by the client's clock. */
const earlyMs = 500;
const lateMs = 3000;

interface Beat {
  /**
   * The time to the first ping, from the request and from the response headers. The server's timer starts in between.
   */
  readonly sinceAskedMs: number;
  readonly sinceOpenMs: number;
  readonly text: string;
}

/** Waits for the first ping of a stream, and runs a function after the stream opens. */
async function firstBeat(opened: Promise<StreamReader>, meanwhile?: () => Promise<unknown>): Promise<Beat> {
  const askedAt = performance.now();
  const stream = await opened;
  const openedAt = performance.now();
  await meanwhile?.();
  await stream.until(({ text }) => text.includes(': ping\n'));
  const beatAt = performance.now();
  return { sinceAskedMs: beatAt - askedAt, sinceOpenMs: beatAt - openedAt, text: stream.text };
}

suite('heartbeat', (api) => {
  test('§6 rules 2 and 4, reading 6.5: every stream sends a ping every 15 s, even if it sends frames in between', {
    timeout: 25_000,
  }, async () => {
    const [quietService, busyService] = [unique(), unique()];
    const control = new Control(api);
    const ofControl = <Item>(make: () => Item) => (api.serves('/api/control') ? [make()] : []);
    // Send a frame after half an interval. A server that restarts its timer on every frame would send the ping 7.5 s
    // late.
    const halfway = () =>
      pause(heartbeatMs / 2).then(() =>
        Promise.all([api.append({ service: busyService }), ...ofControl(() => control.report())]),
      );
    const quiet = [firstBeat(api.stream({ service: quietService })), ...ofControl(() => firstBeat(control.stream()))];
    const busy = [
      firstBeat(api.stream({ service: busyService }), halfway),
      ...ofControl(() => firstBeat(control.componentStream())),
    ];
    for (const { sinceAskedMs, sinceOpenMs } of await Promise.all([...quiet, ...busy])) {
      expect(sinceAskedMs).toBeGreaterThan(heartbeatMs - earlyMs);
      expect(sinceOpenMs).toBeLessThan(heartbeatMs + lateMs);
    }
    for (const { text } of await Promise.all(quiet)) expect(text).toMatch(/^retry: 2000\n\n?: ping\n\n?$/);
    for (const { text } of await Promise.all(busy)) {
      expect(text).toMatch(/^retry: 2000\n\n?id: [^\n]+\nevent: (deployment|component)\ndata: [^\n]+\n\n: ping\n\n?$/);
    }
  });
});
