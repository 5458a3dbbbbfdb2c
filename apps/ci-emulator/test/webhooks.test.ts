import { createHmac } from 'node:crypto';
import type { CiDelivery, CiWebhook } from '@shiplog/companions';
import { describe, expect, test } from 'vitest';
import { aProject, aSeed, type TestEmulator, testEmulator } from './support/emulator.ts';
import { Receiver } from './support/receiver.ts';

const secret = 'a-long-enough-secret';

async function hooked(
  target: object,
  statusOf?: Parameters<typeof Receiver.start>[0],
): Promise<{ emulator: TestEmulator; receiver: Receiver }> {
  const receiver = await Receiver.start(statusOf);
  const emulator = await testEmulator();
  const { status, body } = await emulator.post('/_ci/webhooks', {
    tool: 'github',
    url: receiver.url,
    secret,
    ...target,
  });
  expect([status, body]).toEqual([200, expect.anything()]);
  await emulator.deliveriesOver();
  return { emulator, receiver };
}

async function deliveries(emulator: TestEmulator): Promise<readonly CiDelivery[]> {
  return (await emulator.send<{ items: CiDelivery[] }>('/_ci/deliveries')).body.items;
}

const emission = { once: 1, repository: 'acme/shop', environment: 'staging', outcome: 'success' };

describe('§8: GitHub', () => {
  test('each change is told in order, with the deployment, its run and its workflow', async () => {
    const { emulator, receiver } = await hooked({});
    await emulator.post('/_ci/emit', emission);
    await emulator.deliveriesOver();
    expect(receiver.events()).toEqual([
      'ping',
      'workflow_run requested',
      'deployment created',
      'deployment_status queued',
      'deployment_status in_progress',
      'deployment_status success',
      'workflow_run completed',
    ]);
    const told = receiver.received.find(({ headers }) => headers['x-github-event'] === 'deployment_status')?.body;
    expect(told).toMatchObject({
      action: 'created',
      deployment_status: { state: 'queued', log_url: expect.stringMatching(/\/actions\/runs\/72\/job\/\d+$/) },
      deployment: { id: 702, environment: 'staging' },
      check_run: { name: 'staging', status: 'queued' },
      workflow: { path: '.github/workflows/deploy.yml' },
      workflow_run: { id: 72 },
      repository: { full_name: 'acme/shop' },
      sender: { login: 'alice' },
    });
  });

  test('the signatures are of the raw body, and every delivery has an id of its own', async () => {
    const { emulator, receiver } = await hooked({ events: ['deployment', 'deployment_status'] });
    await emulator.deploy();
    await emulator.deliveriesOver();
    for (const { headers, text } of receiver.received) {
      const signed = (algorithm: string) => createHmac(algorithm, secret).update(text).digest('hex');
      expect(headers).toMatchObject({
        'x-hub-signature-256': `sha256=${signed('sha256')}`,
        'x-hub-signature': `sha1=${signed('sha1')}`,
        'x-github-hook-id': '1',
        'user-agent': expect.stringMatching(/^GitHub-Hookshot\//),
        'content-type': 'application/json',
      });
    }
    const ids = receiver.received.map(({ headers }) => headers['x-github-delivery']);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('only the chosen events come', async () => {
    const { emulator, receiver } = await hooked({ events: ['deployment_review'] });
    const { id } = await emulator.deploy();
    await emulator.move(id, { state: 'failure', rejected_by: 'erin' });
    await emulator.deliveriesOver();
    expect(receiver.events()).toEqual(['ping', 'deployment_review rejected']);
  });

  test('§8.1: nothing comes for inactive', async () => {
    const { emulator, receiver } = await hooked({ events: ['deployment_status'] });
    await emulator.move(101, { state: 'inactive' });
    await emulator.deliveriesOver();
    expect(receiver.events()).toEqual(['ping']);
  });

  test('seeding tells nothing', async () => {
    const { emulator, receiver } = await hooked({});
    await emulator.seed({ dataset: 'random', count: 1 });
    await emulator.deliveriesOver();
    expect(receiver.events()).toEqual(['ping']);
  });
});

describe('§8: GitLab', () => {
  const target = { tool: 'gitlab' };

  test('a deployment tells when it starts and how it ends', async () => {
    const { emulator, receiver } = await hooked(target);
    await emulator.post('/_ci/emit', { ...emission, repository: 'acme/ledger', environment: 'production' });
    await emulator.deliveriesOver();
    expect(receiver.events()).toEqual(['Deployment Hook running', 'Deployment Hook success']);
    expect(receiver.received[0]?.body).toMatchObject({
      object_kind: 'deployment',
      status: 'running',
      status_changed_at: '2026-05-04 09:00:00 +0000',
      deployment_id: 702,
      deployable_id: expect.any(Number),
      deployable_url: expect.stringMatching(/^https:\/\/gitlab\.com\/acme\/ledger\/-\/jobs\/\d+$/),
      environment: 'production',
      environment_tier: 'production',
      environment_slug: 'production',
      environment_external_url: null,
      project: { id: 7, path_with_namespace: 'acme/ledger' },
      ref: 'main',
      short_sha: expect.stringMatching(/^[0-9a-f]{8}$/),
      user: { username: 'alice' },
      user_url: 'https://gitlab.com/alice',
      commit_url: expect.stringContaining('/-/commit/'),
      commit_title: expect.any(String),
    });
  });

  test('the token is sent, and with a signing token the signature of Standard Webhooks', async () => {
    const key = Buffer.from('thirty-two bytes of a signing key');
    const { emulator, receiver } = await hooked({ ...target, signing_token: `whsec_${key.toString('base64')}` });
    await emulator.move('gl-deploy-701', { state: 'failed' });
    await emulator.deliveriesOver();
    const [{ headers, text } = { headers: {} as Record<string, string>, text: '' }] = receiver.received;
    const id = String(headers['webhook-id']);
    const timestamp = String(Date.parse('2026-05-04T09:00:00Z') / 1000);
    expect(headers).toMatchObject({
      'x-gitlab-token': secret,
      'x-gitlab-instance': 'https://gitlab.com',
      'x-gitlab-webhook-uuid': expect.any(String),
      'x-gitlab-event-uuid': id,
      'idempotency-key': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`,
    });
  });

  test('the instant has the offset of the project', async () => {
    const receiver = await Receiver.start();
    const emulator = await testEmulator({}, aSeed({ projects: [aProject({ utc_offset: '+05:30' })] }));
    await emulator.post('/_ci/webhooks', { tool: 'gitlab', url: receiver.url, secret });
    await emulator.move('gl-deploy-701', { state: 'failed' });
    await emulator.deliveriesOver();
    expect(receiver.received[0]?.body.status_changed_at).toBe('2026-05-04 14:30:00 +0530');
  });

  test('§8.1: after four failures in a row the hook rests a minute, then twice as long', async () => {
    const { emulator, receiver } = await hooked(target, () => 500);
    const fail = async () => {
      await emulator.move('gl-deploy-701', { state: 'failed' });
      await emulator.deliveriesOver();
    };
    const restingUntil = async () =>
      (await emulator.send<{ items: CiWebhook[] }>('/_ci/webhooks')).body.items[0]?.resting_until;
    for (let turn = 0; turn < 4; turn += 1) await fail();
    expect([receiver.received.length, await restingUntil()]).toEqual([4, '2026-05-04T09:01:00.000Z']);
    await fail();
    expect(receiver.received).toHaveLength(4);
    await emulator.advance(60_000);
    await fail();
    expect([receiver.received.length, await restingUntil()]).toEqual([5, '2026-05-04T09:03:00.000Z']);
  });
});

describe('§8.2: modes', () => {
  const states = ['queued', 'in_progress', 'waiting', 'pending'] as const;

  test.each<[string, readonly string[]]>([
    ['normal', ['queued', 'in_progress', 'waiting', 'pending']],
    ['duplicate', ['queued', 'queued', 'in_progress', 'in_progress', 'waiting', 'waiting', 'pending', 'pending']],
    ['reorder', ['in_progress', 'queued', 'pending', 'waiting']],
    ['drop', ['queued', 'waiting']],
  ])('%s gives %j', async (mode, expected) => {
    const { emulator, receiver } = await hooked({ events: ['deployment_status'], mode });
    for (const state of states) await emulator.move(101, { state });
    await emulator.deliveriesOver();
    expect(receiver.events().slice(1)).toEqual(expected.map((state) => `deployment_status ${state}`));
  });

  test('a duplicate has the id of the first', async () => {
    const { emulator, receiver } = await hooked({ events: ['deployment_status'], mode: 'duplicate' });
    await emulator.move(101, { state: 'queued' });
    await emulator.deliveriesOver();
    const [, one, other] = receiver.received;
    expect(one?.headers['x-github-delivery']).toBe(other?.headers['x-github-delivery']);
  });

  test.each(['github', 'gitlab'] as const)('bad-signature spoils signature and token (%s)', async (tool) => {
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

  test('late waits before each delivery', async () => {
    const { emulator, receiver } = await hooked({ events: ['deployment_status'], mode: 'late', delay_ms: 40 });
    const begun = performance.now();
    await emulator.move(101, { state: 'queued' });
    await emulator.deliveriesOver();
    expect(performance.now() - begun).toBeGreaterThanOrEqual(35);
    expect(receiver.events()).toEqual(['ping', 'deployment_status queued']);
  });
});

describe('§8.3: deliveries', () => {
  test('each is listed with what the target answered; nothing is repeated by itself', async () => {
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

  test('redelivery sends the same body under the same id', async () => {
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

  test('a target that nobody listens at has the status 0', async () => {
    const emulator = await testEmulator();
    await emulator.post('/_ci/webhooks', { tool: 'github', url: 'http://127.0.0.1:9/hook', secret });
    await emulator.deliveriesOver();
    expect((await deliveries(emulator)).map(({ status }) => status)).toEqual([0]);
  });

  test('a delivery waits for the answer to the one before it', async () => {
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
  test('they are listed without their secrets, and removed', async () => {
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
  ])('%j is refused', async (target, pointer) => {
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

  test.each(['127.0.0.1', 'localhost', '[::1]'])('§2: %s is allowed by default', async (host) => {
    const emulator = await testEmulator();
    const { status } = await emulator.post('/_ci/webhooks', { tool: 'gitlab', url: `http://${host}:9/hook`, secret });
    expect(status).toBe(200);
  });

  test('§2: other hosts are allowed by the setting, and only those', async () => {
    const emulator = await testEmulator({ WEBHOOK_HOSTS: 'ci.example.com' });
    const add = async (url: string) => (await emulator.post('/_ci/webhooks', { tool: 'gitlab', url, secret })).status;
    expect([await add('https://ci.example.com/x'), await add('http://127.0.0.1:9/')]).toEqual([200, 422]);
  });
});
