import type { DeploymentEventIngest } from '@shiplog/contract';
import { anEvent, postStored, type RunningService, runSql, testDatabase, testService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import type { ServiceConfig } from '../src/config.ts';
import { appendAll } from './support/bulk-append.ts';
import {
  type Asked,
  ask,
  keptAnswers,
  type Name,
  names,
  promotionOrder,
  retentionDays,
  tampered,
} from './support/kept.ts';

const hourMs = 3_600_000;
const week = { window: '7d' };

function instance(databaseUrl: string, config: Partial<ServiceConfig> = {}): Promise<RunningService> {
  const analytics = { promotionOrder, granularity: 'day' } as const;
  return testService({ databaseUrl, config: { analytics, historyRetentionDays: retentionDays, ...config } });
}

/** An event that happened this many hours after the start of the current UTC day. Negative values mean before it. */
function ofToday(hours: number, fields: Partial<DeploymentEventIngest> = {}): DeploymentEventIngest {
  const midnight = Math.floor(Date.now() / (24 * hourMs)) * 24 * hourMs;
  return anEvent({ happened_at: new Date(midnight + hours * hourMs).toISOString(), ...fields });
}

/** Requests a result, waits until it is cached, and marks the cached copy so that the test can recognize it. */
async function askedAndMarked(service: RunningService, databaseUrl: string, name: Name, query: Asked = week) {
  const { etag } = await ask(service.url, name, query);
  await until(async () => (await keptAnswers(databaseUrl)).some((kept) => kept.etag === etag));
  await tampered(databaseUrl);
  return etag ?? '';
}

const marked = '"kept"';

test("while today's events arrive, every instance returns the result that one instance has computed", async () => {
  const { url } = await testDatabase();
  const services = await Promise.all([instance(url), instance(url)]);
  const ancestor = ofToday(-30, { deployment_id: 'ancestor' });
  const shared = { service: 'api', environment: 'PROD' };
  await appendAll(url, [ancestor, ofToday(-20, { ...shared, parent_deployments: ['ancestor'] })]);
  const etags = new Map<Name, string>();
  for (const name of names) etags.set(name, await askedAndMarked(services[0], url, name));
  await postStored(services[0].url, ofToday(1, { ...shared, status: 'failure', actor: 'somebody' }));
  await postStored(services[1].url, ofToday(2, { ...shared, parent_deployments: ['another'] }));
  for (const service of services) {
    for (const [name, etag] of etags) {
      expect({ name, ...(await ask(service.url, name, week)) }).toEqual({ name, status: 200, etag, json: marked });
      expect(await ask(service.url, name, week, etag), name).toEqual({ status: 304, etag, json: '' });
      expect(await ask(service.url, name, week, `"other", ${etag}`), name).toMatchObject({ status: 304 });
      expect(await ask(service.url, name, week, '*'), name).toMatchObject({ status: 304 });
      expect(await ask(service.url, name, week, 'W/"other"'), name).toMatchObject({ status: 200, json: marked });
    }
  }
});

test('a late event invalidates a cached result only if the event matches the filters of the query', async () => {
  const { url } = await testDatabase();
  const service = await instance(url);
  const query = { window: '7d', services: ['api'] };
  await appendAll(url, [ofToday(-20, { service: 'api' })]);
  await askedAndMarked(service, url, 'getHeatmap', query);
  await postStored(service.url, ofToday(-10, { service: 'web' }));
  expect((await ask(service.url, 'getHeatmap', query)).json).toBe(marked);
  await postStored(service.url, ofToday(-10, { service: 'api' }));
  expect((await ask(service.url, 'getHeatmap', query)).json).not.toBe(marked);
});

test("an event near the start or end of a window changes the window's counts only if it is inside", async () => {
  const { url } = await testDatabase();
  const service = await instance(url);
  const moments = [
    ['at the beginning', -7 * 24, true],
    ['before the beginning', -7 * 24 - 0.001, false],
    ['before the end', -0.001, true],
    ['at the end', 0, false],
  ] as const;
  for (const [name, hours, changes] of moments) {
    const query = { ...week, services: [name] };
    await appendAll(url, [ofToday(-20, { service: name })]);
    await askedAndMarked(service, url, 'getHeatmap', query);
    await appendAll(url, [ofToday(hours, { service: name })]);
    expect([name, (await ask(service.url, 'getHeatmap', query)).json !== marked]).toEqual([name, changes]);
  }
});

/** The parent of a success in production, an event that arrives later, and whether this event changes lead times. */
const ways: readonly (readonly [
  what: string,
  named: string,
  change: Partial<DeploymentEventIngest>,
  isTouched: boolean,
])[] = [
  [
    'an unknown ancestor arrives, with a parent',
    'unknown',
    { deployment_id: 'unknown', parent_deployments: ['old'] },
    true,
  ],
  ['an unknown ancestor arrives, without parents', 'unknown', { deployment_id: 'unknown' }, false],
  ['an ancestor gets another parent', 'known', { deployment_id: 'known', parent_deployments: ['old'] }, true],
  [
    'an ancestor gets the same parent again',
    'known',
    { deployment_id: 'known', parent_deployments: ['nobody'] },
    false,
  ],
  ['another deployment gets a parent', 'known', { deployment_id: 'another', parent_deployments: ['old'] }, false],
];

test.each(ways)('lead times are recomputed only if needed when %s', async (_, named, change, isTouched) => {
  const { url } = await testDatabase();
  const service = await instance(url);
  await appendAll(url, [
    ofToday(-100, { deployment_id: 'old', environment: 'dev' }),
    ofToday(-30, { deployment_id: 'known', environment: 'dev', parent_deployments: ['nobody'] }),
    ofToday(-20, { environment: 'PROD', parent_deployments: [named, 'known'] }),
  ]);
  const first = await ask(service.url, 'getDora', week);
  await askedAndMarked(service, url, 'getDora');
  await appendAll(url, [ofToday(1, { environment: 'dev', ...change })]);
  const { json, etag } = await ask(service.url, 'getDora', week);
  expect({ isComputed: json !== marked, isOther: etag !== first.etag }).toEqual({
    isComputed: isTouched,
    isOther: isTouched,
  });
});

/** The tables that a test empties or restores from a backup. */
const tables = ['deployments', 'latest_deployments', 'releases', 'hourly_counts', 'log_heads'] as const;

test.each([
  ['emptied', tables.slice(0, 4), false],
  ['restored to a state before the last event', tables.slice(0, 4), true],
  ['restored to a state before the last event, including the head of the log', tables, true],
])(
  'a cached result is outdated after the log was %s while the service was running',
  async (_, restored, isRestored) => {
    const { url } = await testDatabase();
    const service = await instance(url);
    await appendAll(url, [ofToday(-30), ofToday(-20)]);
    for (const table of tables) await runSql(url, `create table backup_${table} as select * from ${table}`);
    await appendAll(url, [ofToday(-10)]);
    for (const name of names) await askedAndMarked(service, url, name);
    await runSql(url, `truncate ${restored}`);
    for (const table of isRestored ? restored : []) {
      await runSql(url, `insert into ${table} select * from backup_${table}`);
    }
    for (const name of names) expect((await ask(service.url, name, week)).json).not.toBe(marked);
    const { json } = await ask(service.url, 'getFrequency', week);
    expect(json.match(/"success":[1-9]/g) ?? []).toHaveLength(isRestored ? 2 : 0);
  },
);

test('a result computed on an empty log is outdated after events are restored into the log', async () => {
  const { url } = await testDatabase();
  const service = await instance(url);
  await appendAll(url, [ofToday(-20)]);
  await runSql(url, 'create table backup as select * from deployments');
  await runSql(url, 'truncate deployments');
  await askedAndMarked(service, url, 'getIncidents');
  await runSql(url, 'insert into deployments select * from backup');
  expect((await ask(service.url, 'getIncidents', week)).json).not.toBe(marked);
});

test('a cached result is outdated after the last event that it was checked against is deleted', async () => {
  const { url } = await testDatabase();
  const service = await instance(url);
  await appendAll(url, [ofToday(-20)]);
  await askedAndMarked(service, url, 'getIncidents');
  const today = Array.from({ length: 16 }, () => ofToday(1));
  const ids = await appendAll(url, today);
  expect((await ask(service.url, 'getIncidents', week)).json).toBe(marked);
  await until(async () => (await runSql(url, 'select from kept_answers where last_id = $1', [ids.at(-1)])).length > 0);
  expect((await ask(service.url, 'getIncidents', week)).json).toBe(marked);
  await runSql(url, 'delete from deployments where id = $1', [ids.at(-1)]);
  expect((await ask(service.url, 'getIncidents', week)).json).not.toBe(marked);
});

test('instances share cached results only if the settings that affect the results are equal', async () => {
  const { url } = await testDatabase();
  await appendAll(url, [ofToday(-20, { environment: 'PROD' })]);
  const service = await instance(url);
  await askedAndMarked(service, url, 'getPromotionFunnel');
  const others = [
    { analytics: { promotionOrder: ['PROD'], granularity: 'day' } },
    { analytics: { promotionOrder, granularity: 'hour' } },
    { historyRetentionDays: 91 },
  ] as const;
  for (const config of others) {
    expect((await ask((await instance(url, config)).url, 'getPromotionFunnel', week)).json).not.toBe(marked);
  }
  expect((await ask((await instance(url)).url, 'getPromotionFunnel', week)).json).toBe(marked);
});

test('requests that differ only in meaningless parameters share one cached result', async () => {
  const { url } = await testDatabase();
  await appendAll(url, [ofToday(-20)]);
  const service = await instance(url);
  for (const query of ['', '?colour=red', '?window=7d', '?window=x', '?window=7d&window=7d', '?limit=3&__proto__=1']) {
    await (await fetch(`${service.url}/api/analytics/dora${query}`)).text();
  }
  await until(async () => (await keptAnswers(url)).length > 0);
  await service.stop();
  expect(await keptAnswers(url)).toHaveLength(1);
});

test('after very many new events, counts are checked by the hourly counts and other figures are recomputed', async () => {
  const { url } = await testDatabase();
  const service = await instance(url);
  await appendAll(url, [ofToday(-20)]);
  await ask(service.url, 'getFrequency', week);
  await ask(service.url, 'getDurationHistogram', week);
  await until(async () => (await keptAnswers(url)).length === 2);
  await tampered(url);
  await appendAll(
    url,
    Array.from({ length: 10_001 }, () => ofToday(1)),
  );
  expect((await ask(service.url, 'getFrequency', week)).json).toBe(marked);
  expect((await ask(service.url, 'getDurationHistogram', week)).json).not.toBe(marked);
  await appendAll(url, [ofToday(-20), ...Array.from({ length: 501 }, () => ofToday(1))]);
  expect((await ask(service.url, 'getFrequency', week)).json).not.toBe(marked);
});

test('the service stores the tick up to which a cached result is valid, so each row is checked only once', async () => {
  const { url } = await testDatabase();
  const service = await instance(url);
  await appendAll(url, [ofToday(-20)]);
  await askedAndMarked(service, url, 'getIncidents');
  await appendAll(
    url,
    Array.from({ length: 16 }, () => ofToday(1)),
  );
  expect((await ask(service.url, 'getIncidents', week)).json).toBe(marked);
  const [head] = await runSql<{ tick: string }>(
    url,
    `select last_tick as tick from log_heads where log = 'deployments'`,
  );
  await until(async () => (await keptAnswers(url))[0]?.true_until === head?.tick);
  expect((await ask(service.url, 'getIncidents', week)).json).toBe(marked);
});

test("a result that can't be cached is still returned", async () => {
  const { url } = await testDatabase();
  const service = await instance(url);
  await runSql(url, 'alter table kept_answers add check (false) not valid');
  await appendAll(url, [ofToday(-20)]);
  const first = await ask(service.url, 'getDora', week);
  expect(first.status).toBe(200);
  expect(await ask(service.url, 'getDora', week)).toEqual(first);
  expect(await ask(service.url, 'getDora', week, first.etag ?? '')).toMatchObject({ status: 304 });
  expect(await keptAnswers(url)).toEqual([]);
});

test('results not requested for two days are deleted, as are the least recently requested beyond a thousand', async () => {
  const { url } = await testDatabase();
  const service = await instance(url);
  const insert = `insert into kept_answers
    select 'old ' || n, '[]', '', now(), now(), 0, null, '', '', now() - make_interval(hours => n) - interval '1 minute'
    from generate_series($1::int, $2::int) n`;
  await runSql(url, insert, [47, 50]);
  await ask(service.url, 'getDora', week);
  await until(async () => (await keptAnswers(url)).length === 2);
  expect((await keptAnswers(url)).map(({ digest }) => digest)).toContain('old 47');
  await runSql(url, insert.replace('hours', 'secs'), [100, 1300]);
  await ask(service.url, 'getFrequency', week);
  await until(async () => (await keptAnswers(url)).length <= 1000);
  const digests = (await keptAnswers(url)).map(({ digest }) => digest);
  expect(digests).toHaveLength(1000);
  expect(digests).toContain('old 100');
  expect(digests).not.toContain('old 1300');
});
