import { createHmac } from 'node:crypto';
import type { CiWebhook } from '@shiplog/companions';
import { describe, expect, test } from 'vitest';
import { aProject, aSeed, testEmulator } from './support/emulator.ts';
import { hooked, Receiver, hookSecret as secret } from './support/receiver.ts';

const emission = { once: 1, repository: 'acme/shop', environment: 'staging', outcome: 'success' };

describe('§8: GitHub', () => {
  test('each change is reported in order with the deployment, its run and its workflow', async () => {
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

  test('the signatures cover the raw body, and every delivery has its own id', async () => {
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

  test('only the chosen events are sent', async () => {
    const { emulator, receiver } = await hooked({ events: ['deployment_review'] });
    const { id } = await emulator.deploy();
    await emulator.move(id, { state: 'failure', rejected_by: 'erin' });
    await emulator.deliveriesOver();
    expect(receiver.events()).toEqual(['ping', 'deployment_review rejected']);
  });

  test('§8.1: the status inactive sends no webhook', async () => {
    const { emulator, receiver } = await hooked({ events: ['deployment_status'] });
    await emulator.move(101, { state: 'inactive' });
    await emulator.deliveriesOver();
    expect(receiver.events()).toEqual(['ping']);
  });

  test('seeding sends no webhooks', async () => {
    const { emulator, receiver } = await hooked({});
    await emulator.seed({ dataset: 'random', count: 1 });
    await emulator.deliveriesOver();
    expect(receiver.events()).toEqual(['ping']);
  });
});

describe('§8: GitLab', () => {
  const target = { tool: 'gitlab' };

  test('webhooks report the start and the end of a deployment', async () => {
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

  test('the token is sent; with a signing token, the Standard Webhooks signature is sent too', async () => {
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

  test('times have the offset of the project', async () => {
    const receiver = await Receiver.start();
    const emulator = await testEmulator({}, aSeed({ projects: [aProject({ utc_offset: '+05:30' })] }));
    await emulator.post('/_ci/webhooks', { tool: 'gitlab', url: receiver.url, secret });
    await emulator.move('gl-deploy-701', { state: 'failed' });
    await emulator.deliveriesOver();
    expect(receiver.received[0]?.body.status_changed_at).toBe('2026-05-04 14:30:00 +0530');
  });

  test('§8.1: after four failures in a row the hook pauses for a minute, then twice as long', async () => {
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
