import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { DeploymentEventIngest } from '@shiplog/contract';
import {
  anEvent,
  answers,
  inGroups,
  postStored,
  ScriptedServer,
  testDatabase,
  testFolder,
  testService,
} from '@shiplog/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { assistant } from './support/assistant.ts';
import { documents, ran } from './support/call.ts';

const nowMs = Date.now();
/** The time this many minutes ago. */
const ago = (minutes: number) => new Date(nowMs - minutes * 60_000).toISOString();

let url: string;

async function empty() {
  const catalogFile = join(await testFolder(), 'catalog.yaml');
  await writeFile(catalogFile, 'services:\n  - { name: pay, team: core }\n');
  const { url: databaseUrl } = await testDatabase();
  url = (await testService({ databaseUrl, config: { catalogFile } })).url;
}

function post(service: string, environment: string, minutesAgo: number, fields: Partial<DeploymentEventIngest> = {}) {
  const base = { service, environment, happened_at: ago(minutesAgo), version: '1.0' };
  return postStored(url, anEvent({ ...base, deployment_id: `${service}-${environment}-${minutesAgo}`, ...fields }));
}

/** One place for each kind, and places that need no attention. */
async function fill() {
  await empty();
  await post('web', 'dev', 30, { status: 'failure', version: '2.0' });
  await post('web', 'Prod', 20, { status: 'failure', version: '1.9' });
  await post('pay', 'dev', 200, { status: 'in-progress' });
  for (const n of [1, 2, 3, 4, 5]) {
    await post('pay', 'prod', 100 * n, { status: 'in-progress', deployment_id: `d${n}` });
    await post('pay', 'prod', 100 * n - 5, { deployment_id: `d${n}` });
  }
  await post('pay', 'prod', 15, { status: 'in-progress' });
  await post('api', 'dev', -90, { version: '3.0' });
  await post('api', 'dev', 10, { version: '3.1' });
  await post('api', 'prod', 10);
  await post('web', 'staging', 80, { status: 'waiting' });
  await post('web', 'staging', 70);
}

const linesOf = (stdout: string) =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));

describe('the command attention', () => {
  beforeEach(fill);

  test('attention lists failed, stuck, slow and hidden deployments, production first, and exits with 1', async () => {
    const { code, stdout, stderr } = await ran(url, ['attention']);
    expect([code, stderr]).toEqual([1, '']);
    expect(
      linesOf(stdout).map(([kind, service, environment, since, , detail]) => [
        ...[kind, service, environment, since, detail],
      ]),
    ).toEqual([
      ['failed', 'web', 'Prod', ago(20), '1.9'],
      ['failed', 'web', 'dev', ago(30), '2.0'],
      ['stuck', 'pay', 'dev', ago(200), 'in-progress'],
      ['slow', 'pay', 'prod', ago(15), 'usually 5 min'],
      ['hidden', 'api', 'dev', ago(10), 'success 3.1'],
    ]);
  });

  test('attention --json prints one line for each item', async () => {
    const { code, stdout } = await ran(url, ['attention', '--json', '--environments', 'dev']);
    expect([code, documents(stdout)]).toEqual([
      0,
      [
        { kind: 'failed', service: 'web', environment: 'dev', since: ago(30) },
        { kind: 'stuck', service: 'pay', environment: 'dev', since: ago(200) },
        { kind: 'hidden', service: 'api', environment: 'dev', since: ago(10) },
      ],
    ]);
  });

  test('attention prints a table on a terminal', async () => {
    const { stdout } = await ran(url, ['attention'], { isTerminal: true });
    expect(stdout).toContain('\u001b[31mfailed');
    const [head = '', ...rows] = stripVTControlCharacters(stdout).trimEnd().split('\n');
    expect(head.trim().split(/ {2,}/)).toEqual(['attention', 'service', 'environment', 'since', 'age', 'details']);
    expect(rows).toHaveLength(5);
  });

  test('attention filters by service, environment and team, and exits with 0 if production needs no attention', async () => {
    const shown = async (...args: string[]) => {
      const { code, stdout } = await ran(url, ['attention', ...args]);
      return [code, ...linesOf(stdout).map(([kind]) => kind)];
    };
    expect(await shown('--team', 'core')).toEqual([1, 'stuck', 'slow']);
    expect(await shown('--services', 'web', '--environments', 'dev')).toEqual([0, 'failed']);
    expect(await shown('--team', 'core', '--services', 'api')).toEqual([1, 'stuck', 'slow', 'hidden']);
    expect(await shown('--services', 'web', '--environments', 'staging')).toEqual([0]);
  });

  test('attention says so if nothing needs attention', async () => {
    const { code, stdout, stderr } = await ran(url, ['attention', '--services', 'api', '--environments', 'prod']);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^Nothing needs attention: .*\.\n$/);
    expect(await ran(url, ['attention', '--services', 'api', '--environments', 'prod', '--json'])).toMatchObject({
      ...{ code: 0, stdout: '', stderr: '' },
    });
  });

  test.each([
    [['--services', 'x*'], 'The log has no service "x*".'],
    [['--environments', 'production'], 'The log has no environment "production".'],
    [['--team', 'cores'], 'No service in the log belongs to the team cores'],
    [['--services', ''], '--services accepts a name'],
  ])('attention %j is a usage error', async (args, sentence) => {
    const { code, stderr } = await ran(url, ['attention', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });

  test('attention lists a place once, and escapes hostile texts', async () => {
    await post('pay', 'dev', 5, { status: 'failure', version: '\u001b[2J\u202e' });
    const { stdout } = await ran(url, ['attention', '--services', 'pay', '--environments', 'dev']);
    expect(stdout).toMatch(/^failed\tpay\tdev\t\S+\t5 min\t\\u\{1b\}\[2J\\u\{202e\}\n$/);
  });
});

/** A service whose only facts are silent reporters. */
async function silentReporters(): Promise<string> {
  const server = await ScriptedServer.open(answers(404));
  const emitters = [
    { reporter: 'gitlab', last_at: ago(3000), usual_interval_minutes: 5 },
    { reporter: null, last_at: ago(4000), usual_interval_minutes: null },
  ];
  const facts = { generated_at: ago(0), ladder: ['dev', 'prod'], production: 'prod', places: [], emitters };
  server.script('GET /api/board/facts', answers(200, JSON.stringify(facts)));
  server.script('GET /api/matrix', answers(200, JSON.stringify({ generated_at: ago(0), environments: [], rows: [] })));
  return server.url;
}

test('attention lists silent reporters, which are not in production', async () => {
  const { code, stdout } = await ran(await silentReporters(), ['attention', '--json']);
  const place = { kind: 'silent', service: null, environment: null };
  expect([code, documents(stdout)]).toEqual([
    0,
    [
      { ...place, since: ago(4000), reporter: null },
      { ...place, since: ago(3000), reporter: 'gitlab' },
    ],
  ]);
  expect(linesOf((await ran(await silentReporters(), ['attention'])).stdout)).toEqual([
    ['silent', '', '', ago(4000), '2 d', '(no reporter)'],
    ['silent', '', '', ago(3000), '2 d', 'gitlab, usually every 5 min'],
  ]);
});

describe('attention for assistants', () => {
  test('an assistant gets what needs attention, with the filters of the command', async () => {
    await fill();
    const { call } = await assistant(url);
    const { json } = await call('attention', { environments: ['dev'], limit: 2 });
    expect(json).toMatchObject({ link: `${url}/?environment=dev`, left: 3, next_cursor: expect.any(String) });
    expect(json.items).toEqual([
      {
        ...{ kind: 'failed', service: 'web', environment: 'dev', since: ago(30), production: false, detail: '2.0' },
        link: `${url}/?history=web&in=dev`,
      },
      {
        ...{ kind: 'stuck', service: 'pay', environment: 'dev', since: ago(200), production: false },
        ...{ detail: 'in-progress', link: `${url}/?history=pay&in=dev` },
      },
    ]);
    const { items } = (await call('attention', { environments: ['dev'], cursor: json.next_cursor })).json;
    expect(items).toMatchObject([{ kind: 'hidden', service: 'api' }]);
    const inProduction = (await call('attention', { teams: ['core'], environments: ['prod'] })).json;
    expect(inProduction.items).toMatchObject([{ kind: 'slow', production: true, detail: 'usually 5 min' }]);
    expect(await call('attention', { services: ['x*'] })).toMatchObject({ isError: true });
    const silent = await assistant(await silentReporters());
    expect((await silent.call('attention')).json.items).toMatchObject([
      { kind: 'silent', service: null, detail: '(no reporter)' },
      { kind: 'silent', service: null, reporter: 'gitlab', detail: 'gitlab, usually every 5 min' },
    ]);
  });

  test('an answer is small, whatever the log contains, and the next one continues without a gap', async () => {
    await empty();
    const wide = (count: number) => '\u{e0001}'.repeat(count);
    await inGroups([...Array(20).keys()], (n) =>
      post(`${n}${wide(100)}`, wide(64), 1, { status: 'failure', version: wide(50), deployment_id: `${n}` }),
    );
    const { call } = await assistant(url);
    const found: unknown[] = [];
    let cursor: string | undefined;
    do {
      const { json } = await call('attention', cursor === undefined ? {} : { cursor });
      expect(json.items.length).toBeGreaterThan(0);
      found.push(...json.items.map(({ service }) => service));
      cursor = json.next_cursor;
    } while (cursor !== undefined);
    expect([found.length, new Set(found).size]).toEqual([20, 20]);
  });
});
