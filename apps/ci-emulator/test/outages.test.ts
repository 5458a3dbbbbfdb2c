import { createHmac } from 'node:crypto';
import type { CiOutage } from '@shiplog/companions';
import { describe, expect, test } from 'vitest';
import { aSeed, type Refused, startsAt, testEmulator } from './support/emulator.ts';
import { hooked, hookSecret, Receiver } from './support/receiver.ts';

type Outages = { readonly items: readonly CiOutage[] };

/** An emulator with a target of a tool, after an outage of the tool that is resolved a minute later. */
async function reported(tool: string, events?: readonly string[]) {
  const { emulator, receiver } = await hooked({ tool, ...(events && { events }) });
  const repository = { github: 'acme/shop', gitlab: 'acme/ledger' }[tool];
  const facts = { service: 'shop', environment: 'prod', severity: 'critical', repository };
  await emulator.ci('/outages', { tool, id: 'I-1', title: 'Carts are empty', ...facts });
  await emulator.advance(60_000);
  await emulator.ci('/outages', { tool, id: 'I-1', state: 'resolved' });
  await emulator.deliveriesOver();
  return { emulator, received: receiver.received.filter(({ headers }) => headers['x-github-event'] !== 'ping') };
}

const [begun, ended] = ['2026-05-04T09:00:00Z', '2026-05-04T09:01:00Z'];

describe('§8: outages', () => {
  test('PagerDuty reports an incident and its end, signed', async () => {
    const { received } = await reported('pagerduty');
    expect(received.map(({ body }) => body.event)).toMatchObject([
      {
        event_type: 'incident.triggered',
        occurred_at: begun,
        data: {
          ...{ id: 'I-1', type: 'incident', status: 'triggered', title: 'Carts are empty', created_at: begun },
          ...{ service: { summary: 'shop' }, priority: { summary: 'critical' } },
        },
      },
      { event_type: 'incident.resolved', occurred_at: ended, data: { id: 'I-1', status: 'resolved' } },
    ]);
    for (const { headers, text } of received) {
      const signature = createHmac('sha256', hookSecret).update(text).digest('hex');
      expect(headers['x-pagerduty-signature']).toBe(`v1=${signature}`);
    }
  });

  test('Alertmanager sends the alert when it fires and when it is resolved, with basic authentication', async () => {
    const { received } = await reported('alertmanager');
    const labels = { service: 'shop', environment: 'prod', severity: 'critical' };
    expect(received.map(({ body }) => body)).toMatchObject([
      { version: '4', status: 'firing', alerts: [{ labels, startsAt: begun, endsAt: '0001-01-01T00:00:00Z' }] },
      { version: '4', status: 'resolved', alerts: [{ labels, startsAt: begun, endsAt: ended }] },
    ]);
    const prints = received.map(({ body }) => (body.alerts as { fingerprint: string }[])[0]?.fingerprint);
    expect(prints[0]).toBe(prints[1]);
    const credentials = Buffer.from(`alertmanager:${hookSecret}`).toString('base64');
    for (const { headers } of received) expect(headers.authorization).toBe(`Basic ${credentials}`);
  });

  test('GitHub reports an issue with its label, and when it is closed', async () => {
    const { received } = await reported('github', ['issues']);
    expect(received.map(({ headers }) => headers['x-github-event'])).toEqual(['issues', 'issues', 'issues']);
    const issue = { title: 'Carts are empty', labels: [{ name: 'incident' }], created_at: begun };
    expect(received.map(({ body }) => body)).toMatchObject([
      { action: 'opened', issue: { ...issue, state: 'open' }, repository: { full_name: 'acme/shop' } },
      { action: 'labeled', label: { name: 'incident' }, issue: { ...issue, state: 'open' } },
      { action: 'closed', issue: { ...issue, state: 'closed', closed_at: ended } },
    ]);
  });

  test('GitLab reports an issue with its label, and when it is closed', async () => {
    const { received } = await reported('gitlab', ['issue']);
    expect(received.map(({ headers }) => headers['x-gitlab-event'])).toEqual(['Issue Hook', 'Issue Hook']);
    const attributes = { iid: 1, title: 'Carts are empty', created_at: '2026-05-04 09:00:00 UTC' };
    expect(received.map(({ body }) => body)).toMatchObject([
      { object_kind: 'issue', labels: [{ title: 'incident' }], object_attributes: { ...attributes, action: 'open' } },
      { object_attributes: { ...attributes, action: 'close', closed_at: '2026-05-04 09:01:00 UTC' } },
    ]);
  });

  test('deployment targets get no issues unless they ask for them', async () => {
    for (const tool of ['github', 'gitlab']) expect((await reported(tool)).received).toEqual([]);
  });

  test('a target can ask for the outages of the dataset; each is sent with its start and its end', async () => {
    const emulator = await testEmulator();
    const outages = [
      { id: 'A', tool: 'pagerduty', title: 'one', opened_at: 30, resolved_at: 20 },
      { id: 'B', tool: 'pagerduty', title: 'two', opened_at: 10 },
      { id: 'C', tool: 'alertmanager', title: 'three', opened_at: 10 },
    ];
    await emulator.seed({ data: { ...aSeed(), outages } as never, reset: true, anchor: startsAt });
    await emulator.seed({ data: { ...aSeed(), outages } as never, anchor: startsAt });
    const receiver = await Receiver.start();
    await emulator.ci('/webhooks', { tool: 'pagerduty', url: receiver.url, secret: hookSecret, past_outages: true });
    await emulator.deliveriesOver();
    const events = receiver.received.map(({ body }) => body.event as { event_type: string; data: { id: string } });
    expect(events.map(({ event_type, data }) => [data.id, event_type])).toEqual([
      ['A', 'incident.triggered'],
      ['A', 'incident.resolved'],
      ['B', 'incident.triggered'],
    ]);
  });

  test('outages are listed, resolved once, and gone after a clear', async () => {
    const { emulator } = await reported('pagerduty');
    await emulator.ci('/outages', { tool: 'pagerduty', id: 'I-1', state: 'resolved' });
    const listed = await emulator.ci<Outages>('/outages');
    expect(listed.items).toEqual([
      {
        ...{ id: 'I-1', tool: 'pagerduty', title: 'Carts are empty', repository: null },
        ...{ opened_at: begun.replace('Z', '.000Z'), resolved_at: ended.replace('Z', '.000Z') },
      },
    ]);
    await emulator.ci('/clear', {}, 'POST');
    expect((await emulator.ci<Outages>('/outages')).items).toEqual([]);
  });

  test.each([
    [{ tool: 'pagerduty', id: 'none', state: 'resolved' }, 404, []],
    [{ tool: 'github' }, 422, ['/repository is required for an issue']],
    [{ tool: 'gitlab', repository: 'acme/shop' }, 422, ['/repository is not known: acme/shop']],
    [{ tool: 'alertmanager', repository: 'acme/shop' }, 422, ['/repository is only for issues of github and gitlab']],
  ])('an outage %j is refused with %i', async (body, status, errors) => {
    const emulator = await testEmulator();
    const answer = await emulator.post<Partial<Refused>>('/_ci/outages', body);
    expect(answer.status).toBe(status);
    expect((answer.body.errors ?? []).map(({ pointer, message }) => `${pointer} ${message}`)).toEqual(errors);
  });

  test.each([
    [{ tool: 'github' }, '/data/outages/0/repository is missing'],
    [{ tool: 'github', repository: 'acme/web' }, '/data/outages/0/repository is not known: acme/web'],
    [
      { tool: 'pagerduty', repository: 'acme/shop' },
      '/data/outages/0/repository is only for issues of github and gitlab',
    ],
  ])('a dataset with the outage %j is refused', async (facts, fault) => {
    const emulator = await testEmulator();
    const outages = [{ id: 'A', title: 'one', opened_at: 30, ...facts }];
    const answer = await emulator.seed({ data: { ...aSeed(), outages } as never });
    const { errors } = answer.body as unknown as Refused;
    expect(errors.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([fault]);
  });
});
