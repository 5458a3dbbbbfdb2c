import { setTimeout as pause } from 'node:timers/promises';
import type { StreamReader } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { unique } from '../support/api.ts';
import { Control } from '../support/control.ts';
import { suite } from '../support/suite.ts';

const heartbeatMs = 15_000;
/** A ping may be a little late on a busy machine, and a little early by the clock of the other side. */
const earlyMs = 500;
const lateMs = 3000;

interface Beat {
  /** Since the stream was asked for, and since its head came: its heart began to beat in between. */
  readonly sinceAskedMs: number;
  readonly sinceOpenMs: number;
  readonly text: string;
}

/** Lets something happen while a stream is open, and waits for its first ping. */
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
  test('§6 rules 2 and 4, reading 6.5: on every stream a ping comes every 15 s, whatever else is sent', {
    timeout: 25_000,
  }, async () => {
    const [quietService, busyService] = [unique(), unique()];
    const control = new Control(api);
    const ofControl = <Item>(make: () => Item) => (api.serves('/api/control') ? [make()] : []);
    // Half a heartbeat is the scene of this test, not a wait for something: a server that put its ping off at every
    // frame would be 7.5 s late.
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
