import { createHmac } from 'node:crypto';
import type { CiDelivery, CiWebhook } from '@shiplog/companions';
import { describe, expect, test } from 'vitest';
import { type TestEmulator, testEmulator } from './support/emulator.ts';
import { hooked, hookSecret as secret } from './support/receiver.ts';

async function deliveries(emulator: TestEmulator): Promise<readonly CiDelivery[]> {
  return (await emulator.send<{ items: CiDelivery[] }>('/_ci/deliveries')).body.items;
}

const emission = { once: 1, repository: 'acme/shop', environment: 'staging', outcome: 'success' };

describe('§8.2: modes', () => {
  const states = ['queued', 'in_progress', 'waiting', 'pending'] as const;

  test.each<[string, readonly string[]]>([
    ['normal', ['queued', 'in_progress', 'waiting', 'pending']],
    ['duplicate', ['queued', 'queued', 'in_progress', 'in_progress', 'waiting', 'waiting', 'pending', 'pending']],
    ['reorder', ['in_progress', 'queued', 'pending', 'waiting']],
    ['drop', ['queued', 'waiting']],
  ])('the mode %s delivers %j', async (mode, expected) => {
    const { emulator, receiver } = await hooked({ events: ['deployment_status'], mode });
    for (const state of states) await emulator.move(101, { state });
    await emulator.deliveriesOver();
    expect(receiver.events().slice(1)).toEqual(expected.map((state) => `deployment_status ${state}`));
  });

  test('a duplicate has the id of the first delivery', async () => {
    const { emulator, receiver } = await hooked({ events: ['deployment_status'], mode: 'duplicate' });
    await emulator.move(101, { state: 'queued' });
    await emulator.deliveriesOver();
    const [, one, other] = receiver.received;
    expect(one?.headers['x-github-delivery']).toBe(other?.headers['x-github-delivery']);
  });

  test.each(['github', 'gitlab'] as const)('bad-signature sends an invalid signature and token (%s)', async (tool) => {
    const { emulator, receiver } = await hooked({ tool, mode: 'bad-signature' });
    await emulator.move(tool === 'github' ? 101 : 'gl-deploy-701', { state: tool === 'github' ? 'queued' : 'failed' });
    await emulator.deliveriesOver();
    const last = receiver.received.at(-1);
    const good = `sha256=${createHmac('sha256', secret)
      .update(last?.text ?? '')
      .digest('hex')}`;
    expect(last?.headers[tool === 'github' ? 'x-hub-signature-256' : 'x-gitlab-token']).not.toBe(
      tool === 'github' ? good : secret,
    );
  });

  test('the mode late waits before each delivery', async () => {
    const { emulator, receiver } = await hooked({ events: ['deployment_status'], mode: 'late', delay_ms: 40 });
    const begun = performance.now();
    await emulator.move(101, { state: 'queued' });
    await emulator.deliveriesOver();
    expect(performance.now() - begun).toBeGreaterThanOrEqual(35);
    expect(receiver.events()).toEqual(['ping', 'deployment_status queued']);
  });
});

describe('§8.3: deliveries', () => {
  test("each delivery is listed with the target's response, and no delivery is repeated automatically", async () => {
    const { emulator, receiver } = await hooked({ events: ['deployment_status'] }, ({ headers }) =>
      headers['x-github-event'] === 'ping' ? 200 : 302,
    );
    await emulator.move(101, { state: 'queued' });
    await emulator.deliveriesOver();
    expect(receiver.received).toHaveLength(2);
    const common = {
      id: expect.any(String),
      at: '2026-05-04T09:00:00.000Z',
      duration_ms: expect.any(Number),
      attempt: 1,
    };
    expect(await deliveries(emulator)).toEqual([
      { ...common, event: 'ping', status: 200 },
      { ...common, event: 'deployment_status', status: 302 },
    ]);
  });

  test('redelivery sends the same body with the same id', async () => {
    const { emulator, receiver } = await hooked({ events: ['deployment_status'] });
    await emulator.move(101, { state: 'queued' });
    await emulator.deliveriesOver();
    const [, first] = await deliveries(emulator);
    const { status, body } = await emulator.post(`/_ci/deliveries/${first?.id}/redeliver`);
    expect([status, body]).toEqual([200, { ...first, attempt: 2, duration_ms: expect.any(Number) }]);
    const [, one, other] = receiver.received;
    expect([other?.text, other?.headers['x-github-delivery']]).toEqual([one?.text, one?.headers['x-github-delivery']]);
    expect((await emulator.post('/_ci/deliveries/none/redeliver')).status).toBe(404);
  });

  test('a delivery to an unreachable target is listed with the status 0', async () => {
    const emulator = await testEmulator();
    await emulator.post('/_ci/webhooks', { tool: 'github', url: 'http://127.0.0.1:9/hook', secret });
    await emulator.deliveriesOver();
    expect((await deliveries(emulator)).map(({ status }) => status)).toEqual([0]);
  });

  test('a delivery waits for the response to the previous one', async () => {
    let underWay = 0;
    let most = 0;
    const { emulator, receiver } = await hooked({}, async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return 200;
    });
    await emulator.post('/_ci/emit', { ...emission, once: 5 });
    await emulator.deliveriesOver();
    expect([most, receiver.received.length > 20]).toEqual([1, true]);
  });
});

describe('§8: targets', () => {
  test('targets are listed without secrets, and can be removed', async () => {
    const { emulator, receiver } = await hooked({});
    const { body } = await emulator.send<{ items: CiWebhook[] }>('/_ci/webhooks');
    expect(body.items).toEqual([
      {
        id: 1,
        tool: 'github',
        url: receiver.url,
        events: ['deployment', 'deployment_status', 'workflow_run', 'deployment_review'],
        mode: 'normal',
        resting_until: null,
      },
    ]);
    expect((await emulator.post('/_ci/webhooks/1', undefined, 'DELETE')).status).toBe(200);
    await emulator.deploy();
    await emulator.deliveriesOver();
    expect(receiver.events()).toEqual(['ping']);
    expect((await emulator.post('/_ci/webhooks/1', undefined, 'DELETE')).status).toBe(404);
  });

  test.each<[object, string]>([
    [{ url: 'http://10.0.0.1/hook' }, '/url'],
    [{ url: 'http://127.0.0.1.example.com/' }, '/url'],
    [{ url: 'http://127.0.0.1@example.com/' }, '/url'],
    [{ url: 'file://localhost/etc/passwd' }, '/url'],
    [{ url: 'no address' }, '/url'],
    [{ events: ['push'] }, '/events/0'],
    [{ tool: 'gitlab', events: ['workflow_run'] }, '/events/0'],
    [{ signing_token: 'x' }, '/signing_token'],
    [{ mode: 'chaos' }, '/mode'],
    [{ secret: '' }, '/secret'],
    [{ tool: 'jenkins' }, '/tool'],
  ])('refuses the target %j', async (target, pointer) => {
    const emulator = await testEmulator();
    const { status, body } = await emulator.post<{ errors: { pointer: string }[] }>('/_ci/webhooks', {
      tool: 'github',
      url: 'http://127.0.0.1:9/hook',
      secret,
      ...target,
    });
    expect([status, body.errors.map((error) => error.pointer)]).toEqual([422, expect.arrayContaining([pointer])]);
    expect((await emulator.status()).webhooks).toBe(0);
  });

  test.each(['127.0.0.1', 'localhost', '[::1]'])('§2: the host %s is allowed by default', async (host) => {
    const emulator = await testEmulator();
    const { status } = await emulator.post('/_ci/webhooks', { tool: 'gitlab', url: `http://${host}:9/hook`, secret });
    expect(status).toBe(200);
  });

  test('§2: only the hosts of the setting are allowed', async () => {
    const emulator = await testEmulator({ WEBHOOK_HOSTS: 'ci.example.com' });
    const add = async (url: string) => (await emulator.post('/_ci/webhooks', { tool: 'gitlab', url, secret })).status;
    expect([await add('https://ci.example.com/x'), await add('http://127.0.0.1:9/')]).toEqual([200, 422]);
  });
});
