import { describe, expect, test } from 'vitest';
import { startsAt, testEmulator } from './support/emulator.ts';

describe('§5: clock', () => {
  test('a virtual clock moves only forwards, by a duration or to an instant', async () => {
    const emulator = await testEmulator();
    const move = (body: object) => emulator.post<{ now: string }>('/_ci/clock', body);
    expect((await emulator.send('/_ci/clock')).body).toEqual({ clock: 'virtual', now: startsAt });
    expect((await move({ advance_ms: 1500 })).body.now).toBe('2026-05-04T09:00:01.500Z');
    expect((await move({ now: '2026-05-05T00:00:00Z' })).body.now).toBe('2026-05-05T00:00:00.000Z');
    expect((await move({ now: startsAt })).status).toBe(422);
    expect((await move({ advance_ms: -1 })).status).toBe(422);
    expect((await emulator.status()).now).toBe('2026-05-05T00:00:00.000Z');
  });

  test("the real clock can't be moved", async () => {
    const emulator = await testEmulator({ CLOCK: 'real' });
    const { status, body } = await emulator.post('/_ci/clock', { advance_ms: 1 });
    expect([status, body]).toEqual([409, expect.objectContaining({ type: '/problems/validation' })]);
    expect((await emulator.send('/_ci/clock')).body).toMatchObject({ clock: 'real' });
  });

  test('§2: a virtual clock without an instant starts at the last UTC midnight', async () => {
    const emulator = await testEmulator({ CLOCK: 'virtual' });
    expect((await emulator.status()).now).toBe(new Date(new Date().setUTCHours(0, 0, 0, 0)).toISOString());
  });
});

test('§5: changes from other sites are refused; reads are allowed', async () => {
  const emulator = await testEmulator();
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  for (const [method, path] of [
    ['POST', '/_ci/seed'],
    ['POST', '/_ci/clear'],
    ['POST', '/_ci/emit'],
    ['POST', '/_ci/deployments'],
    ['POST', '/_ci/deployments/101/statuses'],
    ['DELETE', '/_ci/deployments/101'],
    ['PATCH', '/_ci/repositories/acme/shop'],
    ['DELETE', '/_ci/repositories/acme/shop'],
    ['POST', '/_ci/faults'],
    ['DELETE', '/_ci/faults'],
    ['POST', '/_ci/clock'],
    ['POST', '/_ci/webhooks'],
    ['DELETE', '/_ci/webhooks/1'],
    ['POST', '/_ci/deliveries/x/redeliver'],
  ] as const) {
    expect([path, (await emulator.send(path, { method, headers })).status]).toEqual([path, 403]);
  }
  expect((await emulator.send('/_ci/status', { headers })).status).toBe(200);
});
