import { expect, test } from 'vitest';
import { bodyOf, freshEvent, unique } from '../support/api.ts';
import { expectFaults, expectRefusal } from '../support/refusals.ts';
import { keyHeaders, uuid7 } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

interface Outage {
  readonly outage_id: string;
  readonly state: string;
  readonly opened_at: string;
  readonly resolved_at: string | null;
  readonly minutes: number | null;
  readonly links: readonly { readonly rule: string; readonly event_id: string; readonly environment: string }[];
  readonly reason: string | null;
  readonly rows?: readonly { readonly id: string }[];
}

const minuteMs = 60_000;
const base = Date.now() - 24 * 60 * minuteMs;
/** The instant this many minutes after `base`, which is 24 hours ago. */
const at = (minutes: number) => new Date(base + minutes * minuteMs).toISOString();
/** The same instant as the service writes it. */
const told = (minutes: number) => at(minutes).replace(/\.?0+Z$/, 'Z');

suite('outages', (api) => {
  const key = () => ({ [keyHeaders.api]: api.keys.api });
  const post = (body: object) =>
    api.send({ method: 'POST', path: '/api/outages', headers: key(), body: JSON.stringify(body) });
  const row = (outage_id: string, state: string, minutes: number, more: object = {}) => ({
    ...{ source: 'pager', outage_id, state, happened_at: at(minutes) },
    ...more,
  });
  const add = async (...[id, state, minutes, more]: Parameters<typeof row>) => {
    const stored = await post(row(id, state, minutes, more));
    expect([stored.status, stored.json]).toEqual([201, expect.anything()]);
    return stored.json as { readonly id: string };
  };
  const read = async (id: string) =>
    bodyOf<Outage>(await api.send({ path: `/api/outages/pager/${encodeURIComponent(id)}` }));
  const list = async (query: string) =>
    bodyOf<{ items: readonly Outage[]; next_cursor: string | null }>(await api.send({ path: `/api/outages?${query}` }));
  const deployed = async (event: object, minutes: number) => {
    const body = JSON.stringify(freshEvent({ status: 'success', happened_at: at(minutes), ...event }));
    return (await api.send({ method: 'POST', path: '/api/deployments', headers: key(), body })).json as { id: string };
  };

  test('outages 1.1, 7.1: a row is stored as sent, and the outage has every member', async () => {
    const [id, service] = [`a b/${unique()}`, unique()];
    const sent = row(id, 'opened', 10, { services: [service], severity: null, title: 'Payments fail' });
    const stored = await post(sent);
    expect(stored.status).toBe(201);
    expect(stored.headers.location).toBe(`/api/outages/pager/${encodeURIComponent(id)}`);
    const own = { ...sent, severity: undefined };
    expect(stored.json).toEqual({ id: expect.stringMatching(uuid7), ...own });
    expect(await read(id)).toEqual({
      ...{ source: 'pager', outage_id: id, state: 'open', opened_at: told(10), resolved_at: null, minutes: null },
      ...{ services: [service], environments: null, severity: null, title: 'Payments fail', url: null },
      ...{ caused_by: null, not_by_deployment: false, links: [], reason: 'no-deployment-in-time', rows: [stored.json] },
    });
    expectRefusal(await api.send({ path: `/api/outages/pager/${unique()}` }), 'not-found');
  });

  test('outages 1.2, 7.1: every error in a row has its pointer', async () => {
    const cause = (caused_by: object) => ({ caused_by });
    const faults: [object, string[]][] = [
      [{ source: 'Pager' }, ['/source']],
      [{ state: 'closed' }, ['/state']],
      [{ services: ['a', 'a'] }, ['/services']],
      [{ services: ['a', ''] }, ['/services/1']],
      [{ environments: ['x'.repeat(65)] }, ['/environments/0']],
      [{ url: 'ftp://x/y' }, ['/url']],
      [{ colour: 'red' }, ['/colour']],
      [cause({}), ['/caused_by/deployment_id']],
      [cause({ service: 'a' }), ['/caused_by/version']],
      [cause({ version: '1' }), ['/caused_by/service']],
      [cause({ deployment_id: 'd', service: 'a' }), ['/caused_by']],
      [cause({ deployment_id: 'd', colour: 'red' }), ['/caused_by/colour']],
      [{ ...cause({ deployment_id: 'd' }), not_by_deployment: false }, ['/not_by_deployment']],
    ];
    for (const [more, pointers] of faults) expectFaults(await post(row(unique(), 'opened', 1, more)), pointers);
    expect((await api.send({ method: 'POST', path: '/api/outages', body: '{}' })).status).toBe(401);
  });

  test('outages 1.3, 7.2: rows in any order add up; a gap of 30 minutes counts as open, a longer one does not', async () => {
    const [short, long] = [unique(), unique()];
    const rows = (gap: number) =>
      [
        ['opened', 0],
        ['resolved', 10],
        ['opened', 10 + gap],
        ['resolved', 20 + gap],
        ['resolved', 90 + gap],
      ] as const;
    for (const [state, minutes] of [...rows(30)].reverse()) await add(short, state, minutes);
    for (const [state, minutes] of [...rows(31)].reverse()) await add(long, state, minutes);
    expect(await read(short)).toMatchObject({
      ...{ state: 'resolved', opened_at: told(0), resolved_at: told(50), minutes: 50 },
    });
    expect(await read(long)).toMatchObject({ resolved_at: told(51), minutes: 20 });
  });

  test('outages 1.3, 7.2, 7.3: an early resolution does nothing; a dismissal takes precedence', async () => {
    const [early, never, dismissed] = [unique(), unique(), unique()];
    await add(early, 'resolved', 1);
    await add(early, 'opened', 5);
    expect(await read(early)).toMatchObject({ state: 'open', opened_at: told(5), minutes: null });
    await add(never, 'resolved', 3);
    await add(never, 'resolved', 4);
    expect(await read(never)).toMatchObject({
      ...{ state: 'resolved', opened_at: told(3), resolved_at: told(3), minutes: null },
    });
    await add(dismissed, 'opened', 0);
    await add(dismissed, 'dismissed', 2);
    await add(dismissed, 'resolved', 4);
    expect(await read(dismissed)).toMatchObject({ state: 'dismissed', minutes: 4, reason: 'dismissed' });
    await add(dismissed, 'opened', 5);
    expect(await read(dismissed)).toMatchObject({ state: 'open' });
  });

  test('outages 1.3: each member is that of the latest row that has it, and the cause is one member', async () => {
    const id = unique();
    await add(id, 'opened', 1, { title: 'first', severity: 'low', caused_by: { deployment_id: 'gone' } });
    await add(id, 'opened', 3, { severity: 'high' });
    await add(id, 'opened', 2, { title: 'second', severity: 'middle' });
    expect(await read(id)).toMatchObject({ title: 'second', severity: 'high', reason: 'unknown-deployment' });
    await add(id, 'opened', 4, { not_by_deployment: true });
    expect(await read(id)).toMatchObject({ caused_by: null, not_by_deployment: true, reason: 'not-by-deployment' });
    await add(id, 'opened', 5, { not_by_deployment: false });
    expect(await read(id)).toMatchObject({ caused_by: null, not_by_deployment: false, reason: 'no-service' });
  });

  test('outages 2, 7.5, 7.9: the last success at most four hours before is suspected, in each place', async () => {
    const [service, other, id] = [unique(), unique(), unique()];
    const early = await deployed({ service, environment: 'prod' }, 60);
    await deployed({ service, environment: 'prod' }, 59);
    await deployed({ service, environment: 'prod' }, 301);
    const second = await deployed({ service: other, environment: 'prod' }, 100);
    await deployed({ service: other, environment: 'staging' }, 100);
    const scope = { services: [service, other], environments: ['prod'] };
    await add(id, 'opened', 300, scope);
    expect((await read(id)).links).toMatchObject([
      { rule: 'suspected', event_id: second.id, environment: 'prod' },
      { rule: 'suspected', event_id: early.id },
    ]);
    const late = unique();
    await add(late, 'opened', 541, { services: [service], environments: ['prod'] });
    expect((await read(late)).links).toHaveLength(1);
    const none = unique();
    await add(none, 'opened', 541.001, { services: [service], environments: ['prod'] });
    expect(await read(none)).toMatchObject({ links: [], reason: 'no-deployment-in-time' });
  });

  test('outages 7.6: a named deployment is one row, a named release one row in each affected environment', async () => {
    const [service, version, deployment_id] = [unique(), unique(), unique()];
    const eu = await deployed({ service, version, deployment_id, environment: 'eu' }, 20);
    const us = await deployed({ service, sha: version, environment: 'us' }, 30);
    const later = await deployed({ service, version, environment: 'us' }, 90);
    const environments = ['eu', 'us'];
    const named = async (more: object) => {
      const id = unique();
      await add(id, 'opened', 60, { services: [service], environments, ...more });
      return (await read(id)).links.map(({ rule, event_id }) => [rule, event_id]);
    };
    expect(await named({ caused_by: { deployment_id } })).toEqual([['named', eu.id]]);
    // Even in an environment that is not affected.
    expect(await named({ caused_by: { deployment_id }, environments: ['us'] })).toEqual([['named', eu.id]]);
    expect(await named({ caused_by: { service, version } })).toEqual([
      ['named', us.id],
      ['named', eu.id],
    ]);
    const before = unique();
    await add(before, 'opened', 10, { environments: ['us'], caused_by: { service, version } });
    expect((await read(before)).links.map(({ event_id }) => event_id)).toEqual([us.id]);
    expect(later.id).toBeDefined();
  });

  test('outages 7.4, 7.11: the list is newest first, by overlap, by scope, and by what is open', async () => {
    const [service, other] = [unique(), unique()];
    const ids = [unique(), unique(), unique()];
    await add(ids[0] ?? '', 'opened', 600, { services: [service] });
    await add(ids[0] ?? '', 'resolved', 610);
    await add(ids[1] ?? '', 'opened', 605, { services: [service, other], environments: ['prod'] });
    await add(ids[2] ?? '', 'opened', 620, { services: [other], environments: ['staging'] });
    const found = async (query: string) => (await list(query)).items.map(({ outage_id }) => outage_id);
    const both = `services=${service}&services=${other}`;
    expect(await found(both)).toEqual([ids[2], ids[1], ids[0]]);
    expect(await found(`services=${service}`)).toEqual([ids[1], ids[0]]);
    expect(await found(`${both}&environments=staging`)).toEqual([ids[2]]);
    // Without environments it is in the last environment of the promotion order.
    expect(await found(`services=${service}&environments=prod`)).toEqual([ids[1], ids[0]]);
    expect(await found(`${both}&open=true`)).toEqual([ids[2], ids[1]]);
    expect(await found(`${both}&from=${at(610)}&to=${at(620)}`)).toEqual([ids[1], ids[0]]);
    expect(await found(`${both}&from=${at(611)}&to=${at(620)}`)).toEqual([ids[1]]);
    const first = await list(`${both}&limit=2`);
    expect(first).toMatchObject({ scope: { services: [service, other], environments: [] } });
    expect(await found(`${both}&limit=2&cursor=${first.next_cursor}`)).toEqual([ids[0]]);
    expectFaults(await api.send({ path: '/api/outages?open=false' }), ['/open']);
    expectFaults(await api.send({ path: `/api/outages?from=${at(1)}` }), ['/to']);
  });
});
