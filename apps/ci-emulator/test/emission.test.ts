import type { CiEmission } from '@shiplog/companions';
import { describe, expect, test } from 'vitest';
import { type Refused, testEmulator } from './support/emulator.ts';

describe('§5.3: emission', () => {
  test('an emitted deployment passes queued and in_progress, and ends as requested', async () => {
    const emulator = await testEmulator();
    await emulator.post('/_ci/emit', { once: 1, repository: 'acme/shop', environment: 'staging', outcome: 'failure' });
    const { body } = await emulator.github<{ state: string }[]>('/repos/acme/shop/deployments/702/statuses');
    expect(body.map(({ state }) => state)).toEqual(['failure', 'in_progress', 'queued']);
  });

  test.each([
    ['success', 'acme/shop', ['queued', 'in-progress', 'success']],
    ['error', 'acme/shop', ['queued', 'in-progress', 'failure']],
    ['cancelled', 'acme/shop', ['queued', 'in-progress', 'cancelled']],
    ['rejected', 'acme/shop', ['queued', 'waiting', 'rejected']],
    ['pending', 'acme/shop', ['pending']],
    ['waiting', 'acme/shop', ['queued', 'waiting']],
    ['in_progress', 'acme/shop', ['queued', 'in-progress']],
    ['inactive', 'acme/shop', ['queued', 'in-progress', 'cancelled']],
    ['success', 'acme/ledger', ['pending', 'in-progress', 'success']],
    ['failure', 'acme/ledger', ['pending', 'in-progress', 'failure']],
    ['cancelled', 'acme/ledger', ['pending', 'cancelled']],
    ['rejected', 'acme/ledger', ['rejected']],
  ] as const)('an emission with the outcome %s in %s ends with %j', async (outcome, repository, statuses) => {
    const emulator = await testEmulator();
    const before = await emulator.exported();
    await emulator.post('/_ci/emit', { once: 1, repository, environment: 'dev', outcome });
    const known = new Set(before.map(({ deployment_id }) => deployment_id));
    const emitted = (await emulator.exported()).filter(({ deployment_id }) => !known.has(deployment_id));
    expect(emitted.map(({ status }) => status)).toEqual(statuses);
  });

  test('emission alternates between repositories and environments', async () => {
    const emulator = await testEmulator();
    const { body } = await emulator.post<CiEmission>('/_ci/emit', { once: 5 });
    expect(body).toEqual({ emitting: false, interval_ms: 8000, emitted: 5 });
    const { body: rows } = await emulator.github<{ environment: string }[]>('/repos/acme/shop/deployments');
    expect(rows.map(({ environment }) => environment)).toEqual(['dev', 'staging', 'dev', 'dev']);
    const { body: others } = await emulator.gitlab<{ environment: { name: string } }[]>('/projects/7/deployments');
    expect(others.map(({ environment }) => environment.name)).toEqual(['dev', 'dev', 'production']);
  });

  test('by default, two of three emitted deployments succeed', async () => {
    const emulator = await testEmulator();
    for (let turn = 0; turn < 3; turn += 1) await emulator.post('/_ci/emit', { once: 100, repository: 'acme/shop' });
    const { length } = (await emulator.exported()).filter(({ status }) => status === 'failure');
    expect(Math.abs(length / 300 - 1 / 3)).toBeLessThan(0.1);
  });

  test('a call without a body toggles emission, and a running emission does not restart', async () => {
    const emulator = await testEmulator();
    const flip = async (body?: object) => (await emulator.post<CiEmission>('/_ci/emit', body)).body.emitting;
    expect([
      await flip(),
      await flip({ once: 1 }),
      await flip({ enabled: true }),
      await flip(),
      await flip({ enabled: false }),
    ]).toEqual([true, true, true, false, false]);
  });

  test('the first deployment comes after one interval, then one per interval', async () => {
    const emulator = await testEmulator({ EMIT_INTERVAL_MS: '50' });
    await emulator.post('/_ci/emit', { enabled: true });
    const emitted = async (): Promise<number> => {
      const { body } = await emulator.send<CiEmission>('/_ci/emit');
      return body.emitted >= 2 ? body.emitted : emitted();
    };
    expect(await emitted()).toBeGreaterThanOrEqual(2);
  });

  test.each<[object, string]>([
    [{ once: 0 }, '/once'],
    [{ once: 101 }, '/once'],
    [{ interval_ms: 49 }, '/interval_ms'],
    [{ outcome: 'lost' }, '/outcome'],
    [{ repository: 'acme/none' }, '/repository'],
    [{ enabled: 'yes' }, '/enabled'],
  ])('refuses the emission request %j', async (request, pointer) => {
    const emulator = await testEmulator();
    const { status, body } = await emulator.post<Refused>('/_ci/emit', request);
    expect([status, body.errors[0]?.pointer]).toEqual([422, pointer]);
  });
});
