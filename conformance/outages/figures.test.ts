import { expect, test } from 'vitest';
import { bodyOf, freshEvent, unique } from '../support/api.ts';
import { expectFaults } from '../support/refusals.ts';
import { keyHeaders } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

interface Kpi {
  readonly value: number | null;
  readonly unit: string;
  readonly classification: string | null;
  readonly approximated: boolean;
  readonly previous?: number | null;
}

interface Report {
  readonly change_failure_rate_observed: Kpi;
  readonly time_to_restore_observed: Kpi;
  readonly time_to_detect: Kpi;
  readonly outages: object;
  readonly note: string;
}

interface Evidence {
  readonly value: number | null;
  readonly formula: string;
  readonly counted: number;
  readonly left_out: readonly { readonly reason: string; readonly count: number }[];
  readonly items: readonly {
    readonly deployment_id: string | null;
    readonly value: number | null;
    readonly reason: string | null;
    readonly event_ids: readonly string[];
    readonly rule?: string | null;
    readonly holds?: readonly string[];
    readonly undone?: readonly object[];
    readonly outages?: readonly object[];
    readonly outage?: object;
  }[];
}

interface Finding {
  readonly kind: string;
  readonly service: string | null;
  readonly count: number;
  readonly detail: string;
}

const minuteMs = 60_000;
const base = Date.now() - 24 * 60 * minuteMs;
/** The instant this many minutes after `base`, which is 24 hours ago. */
const at = (minutes: number) => new Date(base + minutes * minuteMs).toISOString();

suite('outages', (api) => {
  const key = () => ({ [keyHeaders.api]: api.keys.api });
  const post = async (path: string, body: object) =>
    api.send({ method: 'POST', path, headers: key(), body: JSON.stringify(body) });
  const deployed = async (event: object, minutes: number) => {
    const body = freshEvent({ environment: 'prod', status: 'success', happened_at: at(minutes), ...event });
    return (await post('/api/deployments', body)).json as { readonly id: string };
  };
  const outage = async (state: string, minutes: number, more: object) => {
    const row = { source: 'figures', state, happened_at: at(minutes), ...more };
    expect((await post('/api/outages', row)).status).toBe(201);
  };
  const period = `from=${at(0)}&to=${at(600)}`;
  const report = async (service: string, query = period) =>
    bodyOf<Report>(await api.send({ path: `/api/analytics/outages?${query}&services=${service}` }));
  const evidence = async (figure: string, service: string, query = period) =>
    bodyOf<Evidence>(await api.send({ path: `/api/analytics/evidence/${figure}?${query}&services=${service}` }));

  test('outages 2, 3.1, 7.7, 7.16: V1, V2, V3 and back to V1 is one failure, and its evidence names what was undone', async () => {
    const service = unique();
    const [first, second, third, back] = [
      await deployed({ service, version: 'V1' }, 10),
      await deployed({ service, version: 'V2' }, 20),
      await deployed({ service, version: 'V3' }, 30),
      await deployed({ service, version: 'V1' }, 40),
    ];
    expect((await report(service)).change_failure_rate_observed).toMatchObject({
      ...{ value: 1 / 4, unit: 'ratio', classification: 'high', approximated: true },
    });
    const told = await evidence('change_failure_rate_observed', service);
    expect(told).toMatchObject({ value: 1 / 4, counted: 4, left_out: [] });
    expect(told.items.map(({ event_ids, value, rule }) => [event_ids, value, rule])).toEqual([
      [[back.id], 0, null],
      [[third.id, back.id], 1, 'rolled-back'],
      [[second.id], 0, null],
      [[first.id], 0, null],
    ]);
    expect(told.items[1]?.undone).toEqual([
      { version: 'V3', sha: null },
      { version: 'V2', sha: null },
    ]);

    // A named cause and a bad version: a deployment counts once, under the first rule of the table.
    const outage_id = unique();
    await outage('opened', 35, { outage_id, services: [service], caused_by: { service, version: 'V2' } });
    await post('/api/holds', { kind: 'bad', services: [service], environments: ['prod'], version: 'V2', reason: 'x' });
    expect((await report(service)).change_failure_rate_observed.value).toBe(2 / 4);
    const [, , named] = (await evidence('change_failure_rate_observed', service)).items;
    expect(named).toMatchObject({ rule: 'named', outages: [{ source: 'figures', outage_id }] });
    expect(named?.holds).toHaveLength(1);
  });

  test('outages 2, 7.9, 7.12: a suspected deployment counts only with suspected=count; other environments are left out', async () => {
    const service = unique();
    const [suspect, staging] = [
      await deployed({ service, version: '1' }, 10),
      await deployed({ service, version: '1', environment: 'staging' }, 5),
    ];
    await outage('opened', 10 + 240, { outage_id: unique(), services: [service] });
    expect((await report(service)).change_failure_rate_observed.value).toBe(0);
    expect((await report(service, `${period}&suspected=count`)).change_failure_rate_observed.value).toBe(1);
    const told = await evidence('change_failure_rate_observed', service);
    expect(told.items.map(({ event_ids, value, rule, reason }) => [event_ids[0], value, rule, reason])).toEqual([
      [suspect.id, 0, 'suspected', null],
      [staging.id, null, null, 'not-production'],
    ]);
    expect(told.left_out).toEqual([{ reason: 'not-production', count: 1 }]);
    expectFaults(await api.send({ path: '/api/analytics/outages?suspected=yes' }), ['/suspected']);
    // The row counts in its own period, whatever the period of its outage.
    await outage('opened', 1300, { outage_id: unique(), services: [service], caused_by: { service, version: '1' } });
    expect((await report(service)).change_failure_rate_observed.value).toBe(1);
  });

  test('outages 3.2, 3.3, 7.13 to 7.17: the times, what is left out of them and why', async () => {
    const service = unique();
    await deployed({ service, version: '1', deployment_id: `d-${service}` }, 10);
    const services = [service];
    const caused_by = { deployment_id: `d-${service}` };
    const ids = { named: unique(), open: unique(), dismissed: unique(), bare: unique() };
    await outage('opened', 40, { outage_id: ids.named, services, caused_by });
    await outage('resolved', 100, { outage_id: ids.named });
    await outage('opened', 50, { outage_id: ids.open, services });
    await outage('opened', 60, { outage_id: ids.dismissed, services });
    await outage('dismissed', 61, { outage_id: ids.dismissed });
    await outage('resolved', 400, { outage_id: ids.bare, services });
    const body = await report(service, `${period}&compare=previous`);
    expect(body.time_to_restore_observed).toMatchObject({ value: 60, unit: 'minutes', classification: 'elite' });
    expect(body.time_to_detect).toMatchObject({ value: 30, unit: 'minutes', classification: null, previous: null });
    expect(body.outages).toEqual({
      ...{ count: 4, linked: 1, suspected: 1 },
      unlinked: [
        { reason: 'dismissed', count: 1 },
        { reason: 'no-deployment-in-time', count: 1 },
      ],
    });
    expect(body.note.length).toBeGreaterThan(0);
    const told = async (figure: string, query = period) => {
      const { items } = await evidence(figure, service, query);
      return items.map(({ outage: key, value, reason }) => [(key as { outage_id: string }).outage_id, value, reason]);
    };
    expect(await told('time_to_restore_observed')).toEqual([
      [ids.bare, null, 'not-opened'],
      [ids.dismissed, null, 'dismissed'],
      [ids.open, null, 'open'],
      [ids.named, 60, null],
    ]);
    expect(await told('time_to_detect')).toEqual([
      [ids.bare, null, 'no-deployment-in-time'],
      [ids.dismissed, null, 'dismissed'],
      [ids.open, null, 'suspected'],
      [ids.named, 30, null],
    ]);
    expect((await told('time_to_detect', `${period}&suspected=count`))[2]).toEqual([ids.open, 40, null]);
  });

  test('outages 5, 7.18: findings name the newest outages, and none is about a dismissed one', async () => {
    const [service, unknown] = [unique(), unique()];
    await deployed({ service }, 10);
    const services = [service];
    const ids = { early: unique(), long: unique(), bare: unique(), strange: unique(), dismissed: unique() };
    await outage('resolved', 20, { outage_id: ids.early, services, caused_by: { service, version: 'none' } });
    await outage('opened', 30, { outage_id: ids.early });
    await outage('opened', -7 * 24 * 60, { outage_id: ids.long, services, environments: ['staging'] });
    await outage('opened', 600, { outage_id: ids.bare, services });
    await outage('opened', 20, { outage_id: ids.strange, services: [unknown], not_by_deployment: true });
    await outage('opened', 600, { outage_id: ids.dismissed, services: [unknown, service] });
    await outage('dismissed', 601, { outage_id: ids.dismissed });
    const told = async (name: string) =>
      bodyOf<{ findings: readonly Finding[]; counts: Readonly<Record<string, number>> }>(
        await api.send({ path: `/api/quality?services=${name}` }),
      );
    const body = await told(service);
    const about = (kind: string) => body.findings.filter((finding) => finding.kind === kind);
    const one = { service: null, environment: null, event_id: null };
    expect(about('resolved-before-opened')).toMatchObject([{ ...one, count: 1 }]);
    expect(about('open-long')).toMatchObject([{ ...one, count: 1, detail: expect.stringContaining(ids.long) }]);
    expect(about('unlinked')).toMatchObject([{ ...one, count: 2 }]);
    const [unlinked] = about('unlinked');
    for (const id of [ids.bare, ids.early]) expect(unlinked?.detail).toContain(`figures/${id}`);
    expect(body.counts).toMatchObject({ 'resolved-before-opened': 1, 'open-long': 1, unlinked: 1 });
    expect(body.counts).not.toHaveProperty('unknown-service');
    expect((await told(unknown)).findings).toMatchObject([
      { ...one, kind: 'unknown-service', service: unknown, count: 1 },
    ]);
  });
});
