import { anEvent, clientOf, postStored, runSql, sharedService, testKeys, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { documents, ran } from './support/call.ts';

const pinging = sharedService({ times: { heartbeatMs: 20 } });
const env = { SHIPLOG_CONTROL_API_KEY: testKeys.control };

/** Posts events that every fold has rows of. */
async function filled(): Promise<{ url: string; databaseUrl: string }> {
  const { url, databaseUrl } = await pinging();
  const at = (minute: number) => ({ happened_at: `2026-05-04T09:${minute}:00Z` });
  const [api, prod] = [
    { service: 'api', environment: 'dev' },
    { service: 'api', environment: 'prod' },
  ];
  const release = { version: '1.0', sha: 'ab' };
  await postStored(url, anEvent({ ...api, deployment_id: 'one', status: 'in-progress', ...at(10) }));
  await postStored(url, anEvent({ ...api, deployment_id: 'one', status: 'success', ...release, ...at(11) }));
  await postStored(url, anEvent({ ...api, deployment_id: 'one', status: 'success', ...release, ...at(12) }));
  for (const [deployment_id, version, minute] of [
    ['two', '1.0', 20],
    ['three', '1.1', 30],
    ['four', '1.0', 40],
  ] as const) {
    const parent_deployments = ['one', 'unknown'];
    const event = { ...prod, deployment_id, version, parent_deployments, ...at(minute) };
    await postStored(url, anEvent({ ...event, status: 'success' }));
  }
  await postStored(url, anEvent({ ...prod, deployment_id: 'five', status: 'failure', ...at(50) }));
  await clientOf(url).getQuality({ query: {} });
  return { url, databaseUrl };
}

async function deep(url: string) {
  const { code, stdout } = await ran(url, ['doctor', '--deep', '--json'], { env });
  const findings = documents(stdout) as { level: string; check: string; text: string }[];
  return {
    code,
    found: findings.filter(({ check }) => check === 'folds').map(({ level, text }) => `${level}: ${text}`),
  };
}

test('doctor --deep finds no difference in a log with faults, names each kind of corruption, and its repair works', async () => {
  const { url, databaseUrl } = await filled();
  expect(await deep(url)).toEqual({
    code: 0,
    found: [expect.stringMatching(/^ok: \d+ rows behind the figures match the log\.$/)],
  });

  const lacks = (fold: string, row: string) => new RegExp(`^fault: ${fold} lacks 1 row, such as .*${row}`);
  const wrong = (fold: string, row: string) =>
    new RegExp(`^fault: ${fold} has 1 row with wrong values, such as .*${row}.* instead of {`);
  const unexpected = (fold: string, row: string) => new RegExp(`^fault: ${fold} has 1 row too many, such as .*${row}`);
  const corruptions: readonly (readonly [change: string, RegExp])[] = [
    [`update changes set events = 9 where deployment_id = 'one'`, wrong('changes', '"events":9')],
    [
      `update change_days set changes = 99 where ctid = (select ctid from change_days limit 1)`,
      wrong('change_days', '"changes":99'),
    ],
    [`delete from change_hours where ctid = (select ctid from change_hours limit 1)`, lacks('change_hours', '"hour"')],
    [`delete from faulty_events where kind = 'duplicate'`, lacks('faulty_events', '"kind":"duplicate"')],
    [`insert into parent_links values ('ghost', gen_random_uuid())`, unexpected('parent_links', 'ghost')],
    [
      `delete from unknown_parents where id = (select id from unknown_parents limit 1)`,
      lacks('unknown_parents', '"unknown"'),
    ],
    [`update status_runs set ended_at = null where ended_id is not null`, wrong('status_runs', '"ended_at":null')],
    [`delete from outcome_runs where status = 'failure'`, lacks('outcome_runs', '"failure"')],
    [
      `update release_runs set earlier_id = null where earlier_id is not null`,
      wrong('release_runs', '"earlier_id":null'),
    ],
    [
      `update event_counts set events = 99 where dimension = 'status' and name = 'failure'`,
      wrong('event_counts', '"events":99'),
    ],
    [`delete from promotions where deployment_id = 'two' and parent = 'one'`, lacks('promotions', '"two"')],
    [
      `update lead_times set first_at = '2001-01-01Z' where id = (select id from lead_times limit 1)`,
      wrong('lead_times', '2001-01-01'),
    ],
    [`update release_shas set sha = 'cd' where sha = 'ab'`, lacks('release_shas', '"ab"')],
    [`insert into version_names values ('ghost', 'v1')`, unexpected('version_names', 'ghost')],
    [`delete from release_deployments where deployment_id = 'three'`, lacks('release_deployments', '"three"')],
  ];
  for (const [change] of corruptions) await runSql(databaseUrl, change);
  const { code, found } = await deep(url);
  expect(code).toBe(1);
  expect(found).toEqual([
    ...corruptions.flatMap(([, due]) => [
      expect.stringMatching(due),
      ...(due.source.includes('release_shas') ? [expect.stringMatching(unexpected('release_shas', '"cd"'))] : []),
    ]),
    expect.stringContaining('update folds set tick = -1'),
  ]);

  await runSql(databaseUrl, 'update folds set tick = -1');
  await until(async () => (await deep(url)).code === 0);
});

test('doctor --deep without the control key says which variable is missing', async () => {
  const { url } = await pinging();
  const { code, stdout } = await ran(url, ['doctor', '--deep', '--json']);
  expect(code).toBe(1);
  expect(stdout).toContain('Set SHIPLOG_CONTROL_API_KEY: the comparison needs the control key.');
});
