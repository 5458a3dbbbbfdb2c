import { createHmac } from 'node:crypto';
import { fetcherLimits } from '@shiplog/companions';
import { describe, expect, test } from 'vitest';
import type { Delivery } from '../src/adapter.ts';
import { AuthFailed } from '../src/tool/refusals.ts';
import { ShapeFault } from '../src/tool/shape.ts';
import { changeOf } from './support/change.ts';
import {
  aGithubDelivery,
  anArgoBody,
  argo,
  argoHeaders,
  aSource,
  hexHmac,
  hooked,
  secret,
} from './support/webhooks.ts';

const changed = () => ({ changes: [changeOf({ id: 'gh-deploy-1' })], hints: [] });
const cdevents = '  - { name: cdevents, auth: { type: basic, user: ci, secret_env: CI_PASSWORD } }\n';
describe('§11: a delivery of GitHub', () => {
  test('is posted, and its response has the counts', async () => {
    const { send, sink, results } = await hooked({ github: [aSource(changed)] });
    const { status, json, headers } = await send('github', aGithubDelivery());
    expect([status, json, sink.stored]).toEqual([202, { accepted: 1, ignored: 0 }, ['github-actions gh-deploy-1']]);
    expect(headers['content-type']).toContain('application/json');
    expect(results).toEqual(['github accepted']);
  });

  test('is accepted without effect if it is repeated', async () => {
    const { send, sink } = await hooked({ github: [aSource(changed)] });
    await send('github', aGithubDelivery());
    const { status, json } = await send('github', aGithubDelivery());
    expect([status, json, sink.stored.length]).toEqual([202, { accepted: 0, ignored: 1 }, 1]);
  });

  test('is ignored if its body is replayed under another id, because no signature covers the id', async () => {
    const { send, sink } = await hooked({ github: [aSource(changed)] });
    const first = aGithubDelivery();
    await send('github', first);
    const replay = { ...first, headers: { ...first.headers, 'X-GitHub-Delivery': 'another-id' } };
    const { status, json } = await send('github', replay);
    expect([status, json, sink.stored.length]).toEqual([202, { accepted: 0, ignored: 1 }, 1]);
  });

  test('is passed with headers and body to the first source that knows its repository', async () => {
    const asked: string[] = [];
    let got: Delivery | undefined;
    const sourceOf = (id: string, knows: boolean) => ({
      id,
      isPolled: true,
      source: {
        receive: async (delivery: Delivery) => {
          asked.push(id);
          got = delivery;
          return knows ? { changes: [], hints: ['acme/shop', 'acme/other'] } : undefined;
        },
      },
    });
    const { send, sink } = await hooked({
      github: [sourceOf('one', false), sourceOf('two', true), sourceOf('three', true)],
    });
    const { json } = await send('github', aGithubDelivery());
    expect([json, asked, sink.hints]).toEqual([
      { accepted: 2, ignored: 0 },
      ['one', 'two'],
      ['two acme/shop', 'two acme/other'],
    ]);
    expect(got?.headers['x-github-event']).toBe('deployment_status');
    expect(got?.body).toEqual({ action: 'created', repository: { full_name: 'acme/shop' } });
  });

  test.each<[string, Parameters<typeof aSource>[0]]>([
    ['for a repository that no source knows', () => undefined],
    ['without a deployment', () => ({ changes: [], hints: [] })],
  ])('%s is ignored', async (_, receive) => {
    const { send, results } = await hooked({ github: [aSource(receive)] });
    expect((await send('github', aGithubDelivery())).json).toEqual({ accepted: 0, ignored: 1 });
    expect(results).toEqual(['github ignored']);
  });

  test('in a form field is read like one as JSON', async () => {
    const { send, sink } = await hooked({ github: [aSource(changed)] });
    const body = `payload=${encodeURIComponent(JSON.stringify({ repository: { full_name: 'acme/größe+1' } }))}`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await send('github', aGithubDelivery({ body, headers }))).status).toBe(202);
    expect(sink.stored).toHaveLength(1);
    const empty = await send('github', aGithubDelivery({ id: 'other', body: 'x=1', headers }));
    expect([empty.status, empty.json]).toEqual([
      422,
      expect.objectContaining({ errors: [expect.objectContaining({ pointer: '' })] }),
    ]);
  });

  test('that does not match its event type is malformed, and may be repeated', async () => {
    const odd = () => Promise.reject(new ShapeFault('the member id is no text'));
    const { send, results } = await hooked({ github: [aSource(odd)] });
    for (let time = 0; time < 2; time += 1) {
      const { status, json } = await send('github', aGithubDelivery());
      expect([status, json]).toMatchObject([
        422,
        { errors: [{ pointer: '', message: expect.stringContaining('no text') }] },
      ]);
    }
    expect(results).toEqual(['github malformed', 'github malformed']);
  });

  test('is left to polling, or must be redelivered, if its source fails', async () => {
    const failing = () => Promise.reject(new AuthFailed('401'));
    const polled = await hooked({ github: [aSource(failing)] });
    expect((await polled.send('github', aGithubDelivery())).json).toEqual({ accepted: 1, ignored: 0 });
    expect(polled.sink.hints).toEqual(['github-actions acme/shop']);
    const alone = await hooked({ github: [aSource(failing, { isPolled: false })] });
    const { status, headers } = await alone.send('github', aGithubDelivery());
    expect([status, Number(headers['retry-after']) > 0, alone.results]).toEqual([503, true, ['github unavailable']]);
  });

  test('is answered after eight seconds if polling covers it, even without the log', async () => {
    const { send, sink, clock } = await hooked({ github: [aSource(changed)] });
    sink.hold();
    const answer = send('github', aGithubDelivery());
    await clock.pass(fetcherLimits.deliveryWaitMs);
    expect([(await answer).json, sink.hints]).toEqual([{ accepted: 1, ignored: 0 }, ['github-actions acme/shop']]);
  });
});

describe('§11: the refusal of a delivery', () => {
  test.each<[string, object]>([
    ['no signature', { 'X-Hub-Signature-256': [] }],
    ['another secret', { 'X-Hub-Signature-256': `sha256=${hexHmac('{}', 'another-secret-of-16')}` }],
    ['the signature of another body', { 'X-Hub-Signature-256': `sha256=${hexHmac('{"action":"other"}')}` }],
    ['the signature twice', { 'X-Hub-Signature-256': [`sha256=${hexHmac('{}')}`, `sha256=${hexHmac('{}')}`] }],
    [
      'SHA-1 alone',
      { 'X-Hub-Signature-256': [], 'X-Hub-Signature': `sha1=${createHmac('sha1', secret).update('{}').digest('hex')}` },
    ],
  ])('with %s always results in the same 401', async (_, headers) => {
    const { send, sink, results } = await hooked({ github: [aSource(changed)] });
    const good = aGithubDelivery({ body: '{}' });
    const refused = await send('github', { ...good, headers: { ...good.headers, ...headers } });
    expect([refused.status, refused.json]).toEqual([
      401,
      {
        ...{ type: '/problems/unauthorized', title: 'Unauthorized', status: 401, instance: '/webhooks/github' },
        detail: 'The signature or token is missing or invalid. Compare the secrets on both sides.',
      },
    ]);
    expect(refused.headers['www-authenticate']).toBe('HmacSha256 header="X-Hub-Signature-256"');
    expect([sink.begun, results]).toEqual([0, ['github unauthorized']]);
    expect((await send('github', good)).status).toBe(202);
  });

  test('precedes parsing: broken JSON results in 401 without a signature and in 422 with one', async () => {
    const { send } = await hooked();
    const broken = aGithubDelivery({ body: '{"a":' });
    expect((await send('github', { ...broken, headers: {} })).status).toBe(401);
    const { status, json } = await send('github', broken);
    expect([status, json]).toEqual([
      422,
      expect.objectContaining({ errors: [{ pointer: '', message: 'must be valid JSON' }] }),
    ]);
  });

  test('does not mark the id of the delivery as used', async () => {
    const { send, sink } = await hooked({ github: [aSource(changed)] });
    await send('github', aGithubDelivery({ headers: { 'X-Hub-Signature-256': `sha256=${'0'.repeat(64)}` } }));
    await send('github', aGithubDelivery());
    expect(sink.stored).toHaveLength(1);
  });

  test.each(['gitlab', 'cdevents', 'argocd', 'constructor', '__proto__', ''])(
    'a webhook "%s" that is not configured does not exist',
    async (name) => {
      const { send, results } = await hooked();
      const { status, json } = await send(name, aGithubDelivery());
      expect([status, json]).toEqual([404, expect.objectContaining({ type: '/problems/not-found' })]);
      expect(results).toEqual([]);
    },
  );

  test('methods other than POST are refused', async () => {
    const { send } = await hooked();
    const { status, headers } = await send('github', { method: 'GET' });
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });
});

describe('§11.3, §11.4: webhooks of the configuration file', () => {
  test('a generic webhook posts its events and counts ignored items', async () => {
    const { send, sink } = await hooked({ file: argo });
    const sent = (body: object) => send('argocd', { headers: argoHeaders, body: JSON.stringify(body) });
    expect((await sent(anArgoBody)).json).toEqual({ accepted: 1, ignored: 0 });
    expect((await sent({ ...anArgoBody, phase: 'Odd' })).json).toEqual({ accepted: 0, ignored: 1 });
    expect((await sent({ ...anArgoBody, app: null })).json).toEqual({ accepted: 0, ignored: 1 });
    expect(sink.stored).toEqual(['argocd shop success']);
    expect(sink.leftOut).toEqual(['argocd unknown_status', 'argocd unmapped']);
    const { status, json } = await sent({ ...anArgoBody, at: null });
    expect([status, json]).toEqual([
      422,
      expect.objectContaining({ errors: [expect.objectContaining({ pointer: '/at' })] }),
    ]);
  });

  test.each(['Idempotency-Key', 'webhook-id'])('the header %s identifies a repeated delivery', async (name) => {
    const { send, sink } = await hooked({ file: argo });
    const delivery = { headers: { ...argoHeaders, [name]: 'one' }, body: JSON.stringify(anArgoBody) };
    const body = JSON.stringify(anArgoBody, undefined, 1);
    await send('argocd', delivery);
    await send('argocd', { ...delivery, body });
    await send('argocd', { headers: { ...argoHeaders, [name]: 'another' }, body });
    expect(sink.stored).toHaveLength(2);
  });

  test('without polling, the sender must repeat a delivery while the log is unreachable', async () => {
    const { send, sink, clock } = await hooked({ file: argo });
    sink.hold();
    const delivery = { headers: { ...argoHeaders, 'Idempotency-Key': 'one' }, body: JSON.stringify(anArgoBody) };
    const answer = send('argocd', delivery);
    await clock.pass(fetcherLimits.deliveryWaitMs);
    const { status, json } = await answer;
    expect([status, json]).toEqual([503, expect.objectContaining({ type: '/problems/unavailable' })]);
    sink.release();
    expect((await send('argocd', delivery)).json).toEqual({ accepted: 1, ignored: 0 });
  });

  test('each event of a batch is remembered separately', async () => {
    const { send, sink } = await hooked({ file: cdevents });
    const event = (id: string) => ({
      ...{ specversion: '1.0', id, source: 'ci', type: 'dev.cdevents.service.deployed.0.1.1' },
      data: {
        context: { timestamp: '2026-05-04T09:00:00Z' },
        subject: { id: `app-${id}`, content: { environment: { id: 'prod' } } },
      },
    });
    const headers = {
      Authorization: `Basic ${Buffer.from(`ci:${secret}`).toString('base64')}`,
      'Content-Type': 'application/cloudevents-batch+json',
    };
    const sent = async (...ids: string[]) =>
      (await send('cdevents', { headers, body: JSON.stringify(ids.map(event)) })).json;
    expect(await sent('a', 'b', 'a')).toEqual({ accepted: 2, ignored: 1 });
    expect(await sent('b', 'c')).toEqual({ accepted: 1, ignored: 1 });
    expect(sink.events.map(({ service }) => service)).toEqual(['app-a', 'app-b', 'app-c']);
  });

  test('a GitLab delivery is authenticated by a token or a signature', async () => {
    const gitlabSecrets = { webhookToken: secret, webhookSigningToken: 'secret-of-signing-16' };
    const source = aSource(() => ({ changes: [], hints: ['acme/ledger'] }), { id: 'gitlab' });
    const { send, sink, clock } = await hooked({ gitlabSecrets, gitlab: [source] });
    const body = JSON.stringify({ project: { path_with_namespace: 'acme/ledger' } });
    const timestamp = String(clock.now().getTime() / 1000);
    const mac = createHmac('sha256', gitlabSecrets.webhookSigningToken)
      .update(`m1.${timestamp}.${body} `)
      .digest('base64');
    const signed = { 'webhook-id': 'm1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` };
    expect(
      (await send('gitlab', { headers: { 'X-Gitlab-Token': secret, 'Idempotency-Key': 'k1' }, body })).status,
    ).toBe(202);
    const another = `${body} `;
    expect((await send('gitlab', { headers: signed, body: another })).status).toBe(202);
    expect((await send('gitlab', { headers: { ...signed, 'webhook-id': 'm2' }, body: another })).status).toBe(401);
    clock.advance(301_000);
    expect((await send('gitlab', { headers: signed, body: another })).status).toBe(401);
    expect(sink.hints).toEqual(['gitlab acme/ledger', 'gitlab acme/ledger']);
  });
});
