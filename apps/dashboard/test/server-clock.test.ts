import { CallRefused, type Client } from '@shiplog/client';
import { expect, test } from 'vitest';
import { clockReading, withServerClock } from '../src/live/server-clock.ts';

const noon = Date.parse('2026-05-04T12:00:00Z');
const dated = (date: string) => new Headers({ date });

test.each([
  ['with the same time', 'Mon, 04 May 2026 12:00:00 GMT', noon + 400, noon + 600, { offsetMs: 0, errorMs: 600 }],
  [
    'with a time three hours ahead',
    'Mon, 04 May 2026 15:00:00 GMT',
    noon,
    noon,
    { offsetMs: 10_800_500, errorMs: 500 },
  ],
  ['that took 20 seconds', 'Mon, 04 May 2026 12:00:00 GMT', noon, noon + 20_000, { offsetMs: -9500, errorMs: 10_500 }],
  ['without a date', null, noon, noon, undefined],
  ['with an invalid date', 'soon', noon, noon, undefined],
] as const)('the clock offset is taken from a response %s', (_, date, sentMs, receivedMs, due) => {
  expect(clockReading(date, sentMs, receivedMs)).toEqual(due);
});

test('the clock offset is sent once, and again when a response contradicts it', async () => {
  const told: number[] = [];
  let headers = dated(new Date(Date.now() + 3_600_000).toUTCString());
  let refused = false;
  const getMatrix = async () => {
    if (refused) throw new CallRefused('getMatrix', 503, headers, undefined);
    return { status: 200, headers, body: undefined };
  };
  const client = withServerClock({ getMatrix } as unknown as Client, (offsetMs) =>
    told.push(Math.round(offsetMs / 60_000)),
  );
  await client.getMatrix();
  await client.getMatrix();
  expect(told).toEqual([60]);
  headers = dated(new Date(Date.now() - 3_600_000).toUTCString());
  refused = true;
  await expect(client.getMatrix()).rejects.toThrow(CallRefused);
  expect(told).toEqual([60, -60]);
});
