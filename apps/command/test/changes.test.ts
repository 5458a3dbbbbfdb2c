import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Change } from '@shiplog/contract';
import {
  anEvent,
  clientOf,
  inGroups,
  minute,
  postStored,
  testDatabase,
  testFolder,
  testService,
} from '@shiplog/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { assistant } from './support/assistant.ts';
import { documents, ran } from './support/call.ts';

let url: string;

/** In prod: 1.0, then 1.1, which takes nine minutes, a failure of 1.2, and a rollback to 1.0. In staging: 1.2 starts. */
async function fill() {
  const catalogFile = join(await testFolder(), 'catalog.yaml');
  await writeFile(catalogFile, 'services:\n  - { name: pay, team: core }\n');
  const { url: databaseUrl } = await testDatabase();
  url = (await testService({ databaseUrl, config: { catalogFile } })).url;
  await post(0, { version: '1.0' });
  await post(10, { version: '1.1', deployment_id: 'd', status: 'in-progress', actor: 'ann' });
  await post(19, { version: '1.1', deployment_id: 'd' });
  await post(20, { version: '1.2', status: 'failure' });
  await post(30, { version: '1.0' });
  await post(31, { version: '1.2', environment: 'staging', status: 'in-progress' });
}

function post(at: number, fields: Parameters<typeof anEvent>[0]) {
  return postStored(url, anEvent({ service: 'pay', environment: 'prod', happened_at: minute(at), ...fields }));
}

const period = { from: minute(5), to: minute(60) };
const inPeriod = ['changes', '--from', period.from, '--to', period.to];

const linesOf = (stdout: string) =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));

describe('the command changes', () => {
  beforeEach(fill);

  test('changes lists the deployments in a period, newest first, and counts them', async () => {
    const { code, stdout, stderr } = await ran(url, inPeriod);
    expect([code, linesOf(stdout)]).toEqual([
      0,
      [
        [minute(31), 'pay', 'staging', 'in-progress', '1.2', '', ''],
        [minute(30), 'pay', 'prod', 'success', '1.1 → 1.0 (rollback)', '', ''],
        [minute(20), 'pay', 'prod', 'failure', '1.1 → 1.2', '', ''],
        [minute(19), 'pay', 'prod', 'success', '1.0 → 1.1', 'ann', '9 min'],
      ],
    ]);
    const range = /^4 deployments of 1 service from 2026-05-04T09:05\S* to 2026-05-04T10:00\S*: /;
    expect(stderr).toMatch(range);
    expect(stderr.replace(range, '')).toBe('1 in-progress, 2 success, 1 failure.\n');
  });

  test('changes prints a table on a terminal', async () => {
    const { stdout } = await ran(url, inPeriod, { isTerminal: true });
    expect(stdout).toContain('\u001b[31mfailure');
    const [head = '', ...rows] = stripVTControlCharacters(stdout).trimEnd().split('\n');
    expect(head.split(/ {2,}/).map((text) => text.trim())).toEqual([
      'ended or started',
      'service',
      'environment',
      'state',
      'release',
      'actor',
      'duration',
    ]);
    expect(rows).toHaveLength(4);
  });

  test('changes --net prints the release before and after the period for each place', async () => {
    const { stdout, stderr } = await ran(url, [...inPeriod, '--net']);
    expect(linesOf(stdout)).toEqual([
      ['pay', 'prod', '1.0 (unchanged)', '3', '1'],
      ['pay', 'staging', 'not deployed (unchanged)', '1', '0'],
    ]);
    expect(stderr).toContain('4 deployments of 1 service');
    const sooner = await ran(url, ['changes', '--from', '2026-05-01', '--to', minute(20), '--net']);
    expect(linesOf(sooner.stdout)).toEqual([['pay', 'prod', 'not deployed → 1.1', '2', '0']]);
  });

  test('changes --state lists only the deployments in these states', async () => {
    const states = async (...given: string[]) => {
      const { stdout, stderr } = await ran(url, [...inPeriod, ...given.flatMap((state) => ['--state', state])]);
      return [linesOf(stdout).map((cells) => cells[3]), stderr];
    };
    const counts = expect.stringContaining('4 deployments');
    expect(await states('failure')).toEqual([['failure'], counts]);
    expect(await states('failure', 'in-progress')).toEqual([['in-progress', 'failure'], counts]);
    expect(await states('waiting', 'queued')).toEqual([
      [],
      expect.stringMatching(/4 deployments .*\nNo deployment in this state: waiting, queued\.\n$/),
    ]);
  });

  test('changes --json prints one line for each item of all pages, as in the API', async () => {
    await inGroups([...Array(510).keys()], (n) => post(40, { environment: `e${n}` }));
    const changes = documents((await ran(url, [...inPeriod, '--json'])).stdout) as Change[];
    expect(changes).toHaveLength(514);
    const { body } = await clientOf(url).listChanges({ query: { ...period, limit: 500 } });
    expect(changes.slice(0, 500)).toEqual(body.items);
    const net = await ran(url, [...inPeriod, '--net', '--json', '--environments', 'prod']);
    const query = { ...period, environments: ['prod'], net: 'true' as const };
    expect(documents(net.stdout)).toEqual((await clientOf(url).listChanges({ query })).body.items);
    expect([net.stderr, linesOf((await ran(url, inPeriod)).stdout).length]).toEqual(['', 514]);
  });

  test('by default changes lists the last 24 hours, with deployments dated in the future first', async () => {
    const fromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    for (const minutes of [30, -30]) await post(0, { happened_at: fromNow(minutes), version: String(minutes) });
    await post(0, { happened_at: fromNow(-2000), version: 'old' });
    await post(0, { happened_at: fromNow(-10), deployment_id: 'd2', version: 'ahead', status: 'queued' });
    await post(0, { happened_at: fromNow(20), deployment_id: 'd2', version: 'ahead' });
    const { stdout, stderr } = await ran(url, ['changes']);
    expect(linesOf(stdout).map((cells) => cells[4])).toEqual(['-30 → ahead', 'old → -30']);
    expect(stderr).toMatch(/^Dated in the future:\n2 deployments of 1 service /);
    const json = documents((await ran(url, ['changes', '--json'])).stdout) as Change[];
    expect(json.map(({ version }) => version)).toEqual(['ahead', '-30']);
  });

  test('changes reports an empty period and what a filter leaves out, and accepts ages', async () => {
    const empty = await ran(url, ['changes', '--from', '2h', '--to', '1h']);
    expect([empty.code, empty.stdout]).toEqual([0, '']);
    expect(empty.stderr).toMatch(/^No deployments from \S+ to \S+\.\n$/);
    const filtered = await ran(url, [...inPeriod, '--services', 'x*']);
    expect([filtered.code, filtered.stdout]).toEqual([0, '']);
    expect(filtered.stderr).toMatch(/^No deployments from \S+ to \S+\. Outside the filter: 4\.\n$/);
    expect(await ran(url, ['changes', '--json'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('changes filters by team and names an unknown one', async () => {
    await post(33, { service: 'web' });
    const { stdout } = await ran(url, [...inPeriod, '--team', 'core', '--environments', 'prod']);
    expect(linesOf(stdout).map((cells) => cells[1])).toEqual(['pay', 'pay', 'pay']);
    const { code, stderr } = await ran(url, ['changes', '--team', 'cores']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('/teams names the unknown team "cores"')]);
  });

  test('changes escapes hostile texts', async () => {
    await post(35, { actor: '\u001b[2J\u202e\n\t', version: '\u200b' });
    for (const isTerminal of [true, false]) {
      const { stdout } = await ran(url, inPeriod, { isTerminal, env: { NO_COLOR: '1' } });
      expect(stdout).toContain('\\u{1b}[2J\\u{202e}\\u{a}\\u{9}');
      expect(stdout.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });
});

test.each([
  [['--from', '1h'], 'Give --from and --to together.'],
  [['--to', '1h'], 'Give --from and --to together.'],
  [['--from', 'x', '--to', '1h'], '--from must be a time'],
  [['--net', '--state', 'failure'], 'Give --net or --state, not both.'],
  [['--state', 'success', '--state', 'failed'], "argument 'failed' is invalid. Allowed choices are pending, queued"],
])('changes %j is a usage error', async (args, sentence) => {
  const { code, stderr } = await ran('http://127.0.0.1:1', ['changes', ...args]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
});

describe('changes for assistants', () => {
  beforeEach(fill);

  test('an assistant gets the deployments in a period, or what it changed', async () => {
    const { call } = await assistant(url);
    const { json } = await call('changes', { ...period, state: ['failure'], environments: ['prod'] });
    expect(json).toMatchObject({
      link: `${url}/?${new URLSearchParams({ view: 'changes', environment: 'prod', status: 'failure', ...period })}`,
      counts: { changes: 3, elsewhere: 1 },
      items: [{ service: 'pay', state: 'failure', version: '1.2', previous: { version: '1.1' }, rollback: false }],
    });
    expect(json).not.toHaveProperty('ahead');
    expect((await call('changes', { ...period, net: true })).json.items).toMatchObject([
      { environment: 'prod', before: { version: '1.0' }, after: { version: '1.0' }, changes: 3, failed: 1 },
      { environment: 'staging', before: null, after: null, changed: false },
    ]);
    const ahead = new Date(Date.now() + 3_600_000).toISOString();
    await post(0, { happened_at: new Date().toISOString(), status: 'queued', deployment_id: 'd2' });
    await post(0, { happened_at: ahead, deployment_id: 'd2' });
    expect((await call('changes')).json).toMatchObject({ ahead: [{ ended_at: ahead }], items: [] });
    for (const given of [{ from: '1h' }, { ...period, net: true, state: ['failure'] }])
      expect(await call('changes', given)).toMatchObject({ isError: true });
  });

  test('an answer is small, whatever the log contains, and the next one continues in the same period', async () => {
    const wide = (count: number) => '\u{e0001}'.repeat(count);
    const [now, ahead] = [-60_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const fields = { version: wide(50), sha: wide(128), actor: wide(128) };
    await inGroups([...Array(20).keys()], async (n) => {
      const event = {
        ...fields,
        service: `${n}${wide(100)}`,
        environment: wide(64),
        deployment_id: `${n}${wide(190)}`,
      };
      await post(0, { ...event, happened_at: now as string });
      if (n < 5) await post(0, { ...event, deployment_id: `ahead${n}`, happened_at: now as string, status: 'queued' });
      if (n < 5) await post(0, { ...event, deployment_id: `ahead${n}`, happened_at: ahead as string });
    });
    const { call } = await assistant(url);
    const given = { from: '1h', to: '0s' };
    const first = (await call('changes', given)).json as unknown as {
      ahead: unknown[];
      more_ahead: number;
      to: string;
    };
    expect([first.ahead.length > 0, first.ahead.length + first.more_ahead]).toEqual([true, 5]);
    const found: unknown[] = [];
    let cursor: string | undefined;
    do {
      const { json } = await call('changes', { ...given, ...(cursor !== undefined && { cursor }) });
      expect(json.items.length).toBeGreaterThan(0);
      if (cursor !== undefined) expect(json).not.toHaveProperty('ahead');
      found.push(...json.items.map(({ service }) => service));
      cursor = json.next_cursor;
    } while (cursor !== undefined);
    expect(new Set(found).size).toBe(20);
    expect(found).toHaveLength(20);
  });
});
