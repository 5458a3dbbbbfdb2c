import type { OutageRequest } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { mistakesIn } from './support/config.ts';
import { hexHmac, hooked, secret } from './support/webhooks.ts';

const json = { 'Content-Type': 'application/json' };
const token = 'auth: { type: token, header: X-Token, secret_env: TOKEN }';
const tokenHeaders = { ...json, 'X-Token': secret };

/** The rows that the bodies become, without their source. */
async function rowsOf(file: string, ...bodies: unknown[]): Promise<Omit<OutageRequest, 'source'>[]> {
  const { send, sink } = await hooked({ file: `  - ${file}\n` });
  for (const body of bodies) {
    const answer = await send('x', { headers: tokenHeaders, body: JSON.stringify(body) });
    expect([answer.status, answer.text]).toEqual([202, expect.stringContaining('accepted')]);
  }
  return sink.outages.map(({ source, ...row }) => {
    expect(source).toBe('x');
    return row;
  });
}

function mistakesOf(members: string): string {
  return mistakesIn(`version: 1\nwebhooks:\n  - { name: x, ${token}, ${members} }`);
}

describe('PagerDuty', () => {
  const file = '  - { name: pagerduty, auth: { type: pagerduty, secret_env: PD }, format: pagerduty }\n';
  const event = (event_type: string, data: object = {}) => ({
    event: {
      ...{ id: '01', event_type, resource_type: 'incident', occurred_at: '2026-05-04T11:30:00.123+02:00' },
      data: {
        ...{ id: 'PT4KHLK', type: 'incident', title: 'Payments fail', urgency: 'high', priority: { summary: 'P1' } },
        html_url: 'https://acme.pagerduty.com/incidents/PT4KHLK',
        service: { id: 'PF9', summary: 'payments-api' },
        ...data,
      },
    },
  });
  const deliver = async (body: string, signature: string) => {
    const { send, sink } = await hooked({ file });
    const answer = await send('pagerduty', { headers: { ...json, 'X-PagerDuty-Signature': signature }, body });
    return { status: answer.status, rows: sink.outages, answer: answer.json };
  };

  test.each([
    ['one signature', (body: string) => `v1=${hexHmac(body)}`, 202],
    ['one of two signatures', (body: string) => `v1=${'0'.repeat(64)}, v1=${hexHmac(body)}`, 202],
    ['another signature', (body: string) => `v1=${hexHmac(`${body} `)}`, 401],
    ['another version of signatures', (body: string) => `v2=${hexHmac(body)}`, 401],
    ['no signature', () => 'v1=', 401],
  ])('a delivery with %s', async (_, signature, status) => {
    const body = JSON.stringify(event('incident.triggered'));
    const found = await deliver(body, signature(body));
    expect([found.status, found.rows.length]).toEqual([status, status === 202 ? 1 : 0]);
  });

  test('an incident becomes an outage', async () => {
    const body = JSON.stringify(event('incident.triggered'));
    const { rows } = await deliver(body, `v1=${hexHmac(body)}`);
    expect(rows).toEqual([
      {
        ...{ source: 'pagerduty', outage_id: 'PT4KHLK', state: 'opened', happened_at: '2026-05-04T09:30:00.123Z' },
        ...{ services: ['payments-api'], severity: 'P1', title: 'Payments fail' },
        url: 'https://acme.pagerduty.com/incidents/PT4KHLK',
      },
    ]);
  });

  test.each([
    ['incident.reopened', ['opened']],
    ['incident.resolved', ['resolved']],
    ['incident.acknowledged', []],
    ['service.updated', []],
  ])('%s says %j', async (type, states) => {
    const body = JSON.stringify(event(type, { priority: null }));
    const { rows, answer } = await deliver(body, `v1=${hexHmac(body)}`);
    expect(rows.map(({ state, severity }) => [state, severity])).toEqual(states.map((state) => [state, 'high']));
    expect(answer).toEqual({ accepted: states.length, ignored: 1 - states.length });
  });
});

describe('incident.io', () => {
  const file = `{ name: x, ${token}, format: incident-io, outage: { services: "{/public_incident.incident_created_v2/service|'shop'}" } }`;
  const incident = (category: string) => ({
    ...{ id: '01FD', name: 'Payments fail', permalink: 'https://app.incident.io/incidents/123' },
    ...{ created_at: '2026-05-04T09:30:00Z', updated_at: '2026-05-04T10:00:00Z' },
    ...{ severity: { name: 'Major' }, incident_status: { category, name: 'x' } },
  });
  const created = (category: string) => ({
    event_type: 'public_incident.incident_created_v2',
    'public_incident.incident_created_v2': incident(category),
  });
  const changed = (category: string) => ({
    event_type: 'public_incident.incident_status_updated_v2',
    'public_incident.incident_status_updated_v2': { incident: incident(category), new_status: { category } },
  });

  test('an incident is opened when it was created, and resolved when it was updated', async () => {
    const facts = { services: ['shop'], severity: 'Major', title: 'Payments fail' };
    const url = 'https://app.incident.io/incidents/123';
    expect(await rowsOf(file, created('live'), changed('learning'))).toEqual([
      { outage_id: '01FD', state: 'opened', happened_at: '2026-05-04T09:30:00Z', ...facts, url },
      { outage_id: '01FD', state: 'resolved', happened_at: '2026-05-04T10:00:00Z', ...facts, url },
    ]);
  });

  test('an incident in triage is not an outage yet, and a declined one is dismissed', async () => {
    const rows = await rowsOf(file, created('triage'), changed('declined'), changed('merged'), {
      event_type: 'private_incident.incident_created_v2',
    });
    expect(rows.map(({ state }) => state)).toEqual(['dismissed', 'dismissed']);
  });
});

describe('Alertmanager and Grafana', () => {
  const file = `{ name: x, ${token}, format: alertmanager, when: { "/labels/severity": [critical, page] } }`;
  const alert = (status: string, labels: object = {}, endsAt = '0001-01-01T00:00:00Z') => ({
    ...{ status, fingerprint: 'c0ffee', startsAt: '2026-05-04T09:30:00.5Z', endsAt },
    labels: { alertname: 'ErrorRate', severity: 'critical', service: 'payments-api', environment: 'prod', ...labels },
    annotations: { summary: 'Payments fail' },
    generatorURL: 'https://prometheus.acme.example/graph?g0=1',
  });

  test('each alert with the labels of the file becomes an outage', async () => {
    const body = {
      alerts: [
        alert('firing'),
        alert('firing', { severity: 'warning' }),
        alert('resolved', {}, '2026-05-04T10:00:00Z'),
      ],
    };
    const facts = {
      outage_id: 'c0ffee-2026-05-04T09:30:00.5Z',
      services: ['payments-api'],
      environments: ['prod'],
      severity: 'critical',
      title: 'Payments fail',
      url: 'https://prometheus.acme.example/graph?g0=1',
    };
    expect(await rowsOf(file, body)).toEqual([
      { ...facts, state: 'opened', happened_at: '2026-05-04T09:30:00.5Z' },
      { ...facts, state: 'resolved', happened_at: '2026-05-04T10:00:00Z' },
    ]);
  });

  test('an end in the year 1 does not count', async () => {
    expect((await rowsOf(file, { alerts: [alert('resolved')] }))[0]).toMatchObject({
      state: 'opened',
      happened_at: '2026-05-04T09:30:00.5Z',
    });
  });

  test('the file must name labels', () => {
    expect(mistakesOf('format: alertmanager')).toContain('needs when: the labels of alerts that are outages');
  });
});

describe('templates for outages', () => {
  const file = `{ name: x, ${token}, outage: { outage_id: "{/id}", state: "{/s}", happened_at: "{/at}", services: "{/of}", environments: ["{/env}", prod] }, states: { up: resolved, down: opened } }`;

  test('lists may be arrays, and values that are too long are cut', async () => {
    const long = 'x'.repeat(400);
    const [row] = await rowsOf(file, {
      id: long,
      s: 'down',
      at: 1_777_887_000,
      of: ['a', '', 7, 'a', long],
      env: 'eu',
    });
    expect(row).toMatchObject({ state: 'opened', happened_at: '2026-05-04T09:30:00Z', environments: ['eu', 'prod'] });
    expect(row?.outage_id).toMatch(/^x{121}~[0-9a-f]{6}$/);
    expect(row?.services?.map((name) => name.length)).toEqual([1, 1, 128]);
  });

  test('missing values are reported, and an unknown state is ignored', async () => {
    const { send, sink } = await hooked({ file: `  - ${file}\n` });
    const post = async (body: object) => send('x', { headers: tokenHeaders, body: JSON.stringify(body) });
    const lacking = await post({ s: 'up', at: 'soon' });
    expect([lacking.status, (lacking.json as { errors: unknown }).errors]).toEqual([
      422,
      [
        { pointer: '/id', message: 'is empty (used for outage_id)' },
        { pointer: '/at', message: 'is not a valid time (used for happened_at)' },
      ],
    ]);
    expect((await post({ s: 'odd' })).status).toBe(202);
    expect([sink.outages, sink.leftOut]).toEqual([[], ['x unknown_status']]);
  });

  test.each([
    ['outage: { outage_id: a, state: b }, states: { a: opened }', 'needs happened_at'],
    ['outage: { outage_id: a, state: b, happened_at: c }', 'needs states'],
    [
      'outage: { outage_id: a, state: b, happened_at: c }, states: { a: broken }',
      'must be one of opened, resolved, dismissed',
    ],
    ['format: jira', 'must be one of pagerduty, incident-io, alertmanager'],
    ['format: pagerduty, statuses: { a: success }', 'does not belong to a webhook about outages'],
    ['format: pagerduty, outage: { title: "{nope}" }', 'known names: JSON Pointers'],
  ])('the error in %s is reported', (members, mistake) => {
    expect(mistakesOf(members)).toContain(mistake);
  });
});

test('CDEvents: incidents become outages', async () => {
  const { send, sink } = await hooked({ file: `  - { name: cdevents, ${token} }\n` });
  const event = (predicate: string) => ({
    context: {
      ...{ version: '0.4.1', id: predicate, source: '/monitoring', timestamp: '2026-05-04T09:30:00Z' },
      type: `dev.cdevents.incident.${predicate}.0.2.0`,
    },
    subject: {
      ...{ id: 'incident-1', type: 'incident' },
      content: {
        ...{ description: 'Payments fail', ticketURI: 'https://issues.acme.example/1' },
        ...{ environment: { id: 'prod' }, service: { id: '/namespace/payments-api' } },
      },
    },
  });
  for (const predicate of ['detected', 'reported', 'resolved', 'closed']) {
    const body = JSON.stringify(event(predicate));
    expect((await send('cdevents', { headers: tokenHeaders, body })).status).toBe(202);
  }
  expect(sink.outages.map(({ state }) => state)).toEqual(['opened', 'opened', 'resolved']);
  expect(sink.outages[0]).toEqual({
    ...{ source: 'cdevents', outage_id: 'incident-1', state: 'opened', happened_at: '2026-05-04T09:30:00Z' },
    ...{ services: ['payments-api'], environments: ['prod'], title: 'Payments fail' },
    url: 'https://issues.acme.example/1',
  });
});
