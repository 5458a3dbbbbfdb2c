import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CiStatus } from '@shiplog/companions';
import { testLogger } from '@shiplog/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { startEmulator } from '../src/emulator.ts';
import { aProject, aRepo, aSeed, type Refused, startsAt, testEmulator } from './support/emulator.ts';

/** A folder of scenarios with these files in its folder `ci`. */
function scenariosWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'shiplog-ci-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'ci'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'ci', name), text);
  return folder;
}

describe('§5.1: status', () => {
  test("the members of the status are in the order that the driver's card shows", async () => {
    const emulator = await testEmulator();
    const status = await emulator.status();
    expect(Object.keys(status)).toEqual(
      'dataset repos deployments statuses workflows environments emitting seeded_at seed now rate_limit faults webhooks requests'.split(
        ' ',
      ),
    );
    expect(status).toMatchObject({
      dataset: 'data',
      repos: 2,
      deployments: 2,
      statuses: 4,
      workflows: 2,
      environments: 4,
      emitting: false,
      seeded_at: startsAt,
      seed: 1,
      now: startsAt,
      rate_limit: null,
    });
  });

  test('the emulator serves liveness and metrics', async () => {
    const emulator = await testEmulator();
    expect((await emulator.send('/healthz')).body).toEqual({ status: 'ok' });
    expect((await emulator.send<string>('/metrics')).body).toContain('http_requests_total');
  });
});

describe('§5.2: seeding', () => {
  test('seeding twice changes nothing, and reset starts over', async () => {
    const emulator = await testEmulator();
    const { requests: _, ...before } = await emulator.status();
    await emulator.seed({ data: aSeed() });
    expect(await emulator.status()).toMatchObject(before);
    await emulator.move(101, { state: 'inactive' });
    await emulator.seed({ data: aSeed() });
    expect((await emulator.status()).statuses).toBe(before.statuses + 1);
    await emulator.deploy();
    const { body } = await emulator.seed({ data: aSeed(), reset: true, dataset: 'mine' });
    expect(body).toMatchObject({ dataset: 'mine', deployments: 2 });
  });

  test('removed deployments can be seeded again', async () => {
    const emulator = await testEmulator();
    await emulator.post('/_ci/deployments/101', undefined, 'DELETE');
    await emulator.post('/_ci/repositories/acme/ledger', undefined, 'DELETE');
    expect((await emulator.seed({ data: aSeed() })).body).toMatchObject({ repos: 2, deployments: 2 });
  });

  test('a second dataset adds to the first', async () => {
    const emulator = await testEmulator();
    const { body } = await emulator.seed({ dataset: 'random', count: 2 });
    expect(body).toMatchObject({ dataset: 'random', repos: 4 });
  });

  test('the newest instant of a dataset is the anchor for ages', async () => {
    const [deployment] = aRepo().deployments;
    if (!deployment) throw new Error('the seed has a deployment');
    const { elapsed_minutes: _, ...bare } = deployment;
    const absolute = {
      ...bare,
      created_at: '2020-01-01T00:00:00Z',
      statuses: [{ id: 1, state: 'success' as const, created_at: '2020-01-01T00:10:00Z' }],
    };
    const aged = { ...deployment, id: 102, statuses: [] };
    const data = aSeed({ repos: [aRepo({ deployments: [absolute, aged] })] });
    const emulator = await testEmulator({}, null);
    await emulator.seed({ data, anchor: '2026-03-01T12:00:00Z' });
    const { body } =
      await emulator.github<{ created_at: string; updated_at: string }[]>('/repos/acme/shop/deployments');
    expect(body.map(({ created_at, updated_at }) => [created_at, updated_at])).toEqual([
      ['2026-03-01T11:00:00Z', '2026-03-01T11:00:00Z'],
      ['2026-03-01T11:50:00Z', '2026-03-01T12:00:00Z'],
    ]);
  });

  test.each<[object, string]>([
    [{ dataset: 'nowhere' }, '/dataset'],
    [{ dataset: '../demo-set' }, '/dataset'],
    [{ count: 0 }, '/count'],
    [{ count: 101, dataset: 'random' }, '/count'],
    [{ seed: -1 }, '/seed'],
    [{ colour: 'red' }, '/colour'],
    [{ data: { repos: [] } }, '/data/projects'],
    [{ data: aSeed({ repos: [aRepo(), aRepo()] }) }, '/data/repos/1/repo'],
    [
      { data: aSeed({ repos: [{ ...aRepo(), deployments: [{ id: 1 }] } as never] }) },
      '/data/repos/0/deployments/0/sha',
    ],
    [{ data: aSeed({ projects: [aProject({ pipelines: [] })] }) }, '/data/projects/0/deployments/0/pipeline'],
  ])('§6: the seed %j is refused, and nothing changes', async (request, pointer) => {
    const emulator = await testEmulator();
    const before = await emulator.status();
    const { status, body } = await emulator.post<Refused>('/_ci/seed', { reset: true, ...request });
    expect([status, body.errors.map((error) => error.pointer)]).toEqual([422, expect.arrayContaining([pointer])]);
    expect(await emulator.status()).toEqual(before);
  });

  test('files in the folder are datasets; an invalid file is rejected with a pointer to the error', async () => {
    const folder = scenariosWith({
      'mine.json': JSON.stringify(aSeed()),
      'broken.json': '{"repos":[{}],"projects":[]}',
      'torn.json': '{',
    });
    const emulator = await testEmulator({ SCENARIOS_DIR: folder }, null);
    expect((await emulator.seed({ dataset: 'mine' })).body).toMatchObject({ dataset: 'mine', repos: 2 });
    const faultOf = async (dataset: string) =>
      (await emulator.post<Refused>('/_ci/seed', { dataset })).body.errors[0]?.message;
    expect(await faultOf('broken')).toMatch(/^has an error: \/repos\/0\/owner is required$/);
    expect(await faultOf('torn')).toMatch(/cannot be read as JSON/);
    expect(await faultOf('none')).toBe('is unknown; available: demo, random, empty, broken, mine, torn');
  });

  test('at startup every invalid file is logged with the JSON Pointer of its error', async () => {
    const folder = scenariosWith({
      'good.json': JSON.stringify(aSeed()),
      'broken.json': JSON.stringify({ repos: [{}], projects: [] }),
      'torn.json': '{',
    });
    const lines: string[] = [];
    const config = readConfig({ PORT: '0', SCENARIOS_DIR: folder, SEED_ON_STARTUP: 'false' });
    const emulator = await startEmulator({ config, logger: testLogger({ write: (line) => void lines.push(line) }) });
    onTestFinished(emulator.stop);
    const faults = lines.filter((line) => line.includes('"level":50'));
    expect(faults).toHaveLength(2);
    expect(faults[0]).toContain('the dataset broken is left out: it has an error: /repos/0/owner is required');
    expect(faults[1]).toContain('the dataset torn is left out: it names the file');
  });

  test('at startup an invalid dataset is skipped', async () => {
    const folder = scenariosWith({ 'broken.json': '{}' });
    const emulator = await testEmulator({ SCENARIOS_DIR: folder, SEED_ON_STARTUP: 'true', SEED_DATASET: 'broken' });
    expect(await emulator.status()).toMatchObject({ dataset: '', repos: 0, seeded_at: null });
  });

  test('an empty body seeds the demo', async () => {
    const emulator = await testEmulator({}, null);
    expect((await emulator.post<CiStatus>('/_ci/seed')).body).toMatchObject({ dataset: 'demo', repos: 13 });
  });

  test('clearing empties the store, the log and the deliveries, but not faults, webhooks, clock and rate windows', async () => {
    const emulator = await testEmulator();
    await emulator.github('/repos/acme/shop/deployments');
    await emulator.fault({ effect: { status: 500 } });
    await emulator.post('/_ci/webhooks', { tool: 'github', url: 'http://127.0.0.1:9/hook', secret: 'a-secret' });
    await emulator.deliveriesOver();
    await emulator.post('/_ci/emit', { enabled: true });
    const { body } = await emulator.post<CiStatus>('/_ci/clear');
    expect(body).toMatchObject({
      dataset: '',
      repos: 0,
      deployments: 0,
      emitting: false,
      seeded_at: null,
      faults: 1,
      webhooks: 1,
      requests: { total: 0 },
      rate_limit: { used: 1 },
    });
    expect(await emulator.requests()).toEqual([]);
    expect((await emulator.send('/_ci/deliveries')).body).toEqual({ items: [] });
  });
});
