import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeploymentEventIngest } from '@shiplog/contract';
import {
  anEvent,
  answers,
  clientOf,
  listedEvents,
  minute,
  postStored,
  ScriptedServer,
  testFolder,
} from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { documents, interruption, ran } from './support/call.ts';
import { sharedLog } from './support/service.ts';

/** The service keeps all events, so that old rows cause no warnings. */
const { emptyService } = sharedLog({ historyRetentionDays: 1_000_000 });
const forAYear = sharedLog({ historyRetentionDays: 365 });

/** Writes an NDJSON file with these rows. */
async function fileOf(rows: readonly object[], name = 'events.ndjson'): Promise<string> {
  const path = join(await testFolder(), name);
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return path;
}

/** Events of four slots, latest first, so that the file is not in chronological order. */
function someEvents(count: number): DeploymentEventIngest[] {
  return [...Array(count).keys()].map((n) =>
    anEvent({
      deployment_id: `d-${n >> 1}`,
      service: `s-${n % 2}`,
      environment: n % 4 > 1 ? 'dev' : 'prod',
      status: n % 3 === 0 ? 'failure' : 'success',
      happened_at: minute(-n),
    }),
  );
}

/** All events of the service without ids, in log order. */
async function stored(url: string): Promise<object[]> {
  const all = [...(await listedEvents(url)).values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  return all.map(({ id: _, ...event }) => event);
}

test('rows are posted in chronological order per slot, with all fields', async () => {
  const url = await emptyService();
  const events = someEvents(40);
  const whole = {
    ...anEvent({ version: '1', run_url: 'https://ci/1', run_number: '1', actor: 'a', ref: 'r', sha: 'f' }),
    parent_deployments: ['d-1'],
    progress_reporter: 'deploy-action/github',
  };
  const { code, stdout, stderr } = await ran(url, ['import', await fileOf([...events, whole])]);
  expect([code, stdout, stderr]).toEqual([0, '41 rows: 41 posted, 0 already in the log, 0 refused.\n', '']);
  const log = await stored(url);
  expect(log).toContainEqual(whole);
  for (const service of ['s-0', 's-1']) {
    for (const environment of ['dev', 'prod']) {
      const instants = (log as DeploymentEventIngest[])
        .filter((event) => event.service === service && event.environment === environment)
        .map(({ happened_at }) => happened_at);
      expect(instants).toEqual([...instants].sort());
    }
  }
});

test('reports a fault in a file with file, line and pointer, and posts nothing', async () => {
  const url = await emptyService();
  const path = await fileOf([anEvent(), { ...anEvent({ service: '' }), '\u202ecolour': 1 }]);
  const { code, stdout, stderr } = await ran(url, ['import', path]);
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr.split('\n').sort()).toEqual(
    [
      '',
      'Found 2 faults. Nothing was posted.',
      `${path}:2: /\\u{202e}colour: is not a known field`,
      `${path}:2: /service: must not be empty`,
    ].sort(),
  );
  expect(await stored(url)).toEqual([]);
});

test('--check validates without a service', async () => {
  const nowhere = 'http://127.0.0.1:1';
  const good = await fileOf([anEvent()]);
  expect(await ran(nowhere, ['import', '--check', good])).toMatchObject({
    code: 0,
    stdout: '1 row can be imported.\n',
  });
  expect(await ran(nowhere, ['import', '--check', await fileOf([{}])])).toMatchObject({ code: 1, stdout: '' });
  expect(await ran(nowhere, ['import', good])).toMatchObject({ code: 4 });
});

test('an unreadable file and invalid options are usage errors', async () => {
  expect(await ran('http://127.0.0.1:1', ['import', '/nowhere.csv'])).toEqual({
    code: 2,
    stdout: '',
    stderr: "Can't read /nowhere.csv (ENOENT). Give the path of a readable file, or - for standard input.\n",
  });
  for (const options of [
    ['--rate', '0'],
    ['--rate', 'x'],
    ['--set', 'x=1'],
    ['--map', 'service'],
  ]) {
    expect(await ran('http://127.0.0.1:1', ['import', ...options, '/dev/null'])).toMatchObject({ code: 2 });
  }
  expect(await ran('http://127.0.0.1:1', ['import'])).toMatchObject({ code: 2 });
});

test('reports a file without rows, and a mapped column that no row has, as faults', async () => {
  const nowhere = 'http://127.0.0.1:1';
  const path = join(await testFolder(), 'events.csv');
  await writeFile(path, 'deployment_id,service,environment,status,happened_at\n');
  expect(await ran(nowhere, ['import', '--check', path])).toEqual({
    code: 1,
    stdout: '',
    stderr: `${path}:1: : has no rows\nFound 1 fault. Nothing was posted.\n`,
  });
  await writeFile(path, `deployment_id,service,environment,status,happened_at,tag\nd,s,e,success,${minute(0)},\n`);
  expect(await ran(nowhere, ['import', '--check', '--map', 'version=tag', '--map', 'ref=branch', path])).toEqual({
    code: 1,
    stdout: '',
    stderr: '--map: no row has a column "branch"\nFound 1 fault. Nothing was posted.\n',
  });
});

test('a rejected key ends the import', async () => {
  const url = await emptyService();
  const path = await fileOf(someEvents(20));
  const wrong = await ran(url, ['import', path], { env: { SHIPLOG_API_KEY: 'another' } });
  expect(wrong.code).toBe(3);
  expect(wrong.stderr).toContain('Set SHIPLOG_API_KEY to a named key of its access file');
  expect(await stored(url)).toEqual([]);
});

test('an address without the ingest endpoint ends the import', async () => {
  const elsewhere = await ScriptedServer.open(answers(404, '{}'));
  const { code, stderr } = await ran(elsewhere.url, ['import', await fileOf(someEvents(3))]);
  expect(code).toBe(3);
  expect(stderr).toContain('404');
});

test('rows older than the retention period are reported before posting', async () => {
  const url = await forAYear.emptyService();
  const path = await fileOf([anEvent({ happened_at: '2001-01-01T00:00:00Z' }), anEvent({ happened_at: minute(0) })]);
  const { code, stderr } = await ran(url, ['import', path]);
  expect(code).toBe(0);
  expect((await ran(url, ['import', '--check', path])).stderr).toBe(stderr);
  expect(stderr).toMatch(
    /^The service keeps events for 365 days \(HISTORY_RETENTION_DAYS\): [12] rows? of 2 will be deleted/,
  );
});

test('import --json prints each stored event as the API returned it', async () => {
  const url = await emptyService();
  const { stdout } = await ran(url, ['import', '--json', await fileOf(someEvents(3))]);
  const listed = await listedEvents(url);
  expect(new Set(documents(stdout))).toEqual(new Set(listed.values()));
});

describe('importing rows that are already in the log', () => {
  test('rows that are already in the log are skipped, even if several rows are equal', async () => {
    const url = await emptyService();
    const event = anEvent();
    await postStored(url, event);
    const path = await fileOf([event, event, event]);
    expect((await ran(url, ['import', path])).stdout).toBe('3 rows: 2 posted, 1 already in the log, 0 refused.\n');
    expect((await ran(url, ['import', path])).stdout).toBe('3 rows: 0 posted, 3 already in the log, 0 refused.\n');
    expect(await stored(url)).toEqual([event, event, event]);
  });

  test('if several files have equal rows, as many are posted as the file with the most has', async () => {
    const url = await emptyService();
    const event = anEvent();
    const [one, three] = [await fileOf([event]), await fileOf([event, event, event])];
    const { stdout } = await ran(url, ['import', one, three, one, three]);
    expect(stdout).toBe('8 rows: 3 posted, 5 already in the log, 0 refused.\n');
    expect(await stored(url)).toEqual([event, event, event]);
  });

  test('an import interrupted at every tenth row resumes, and the log has each row once', async () => {
    const url = await emptyService();
    const events = someEvents(100);
    const path = await fileOf(events);
    for (let share = 10; share < 100; share += 10) {
      const stopping = new AbortController();
      let count = (await listedEvents(url)).size;
      const onText = () => {
        count += 1;
        if (count >= share) stopping.abort(interruption);
      };
      const { code, stderr } = await ran(url, ['import', '--json', path], { signal: stopping.signal, onText });
      expect(code).toBe(130);
      expect(stderr).toContain('Run the same command to resume.');
      const size = (await listedEvents(url)).size;
      expect(size).toBeGreaterThanOrEqual(share);
      // Rows that were being posted at the interruption are stored, too: at most one per slot.
      expect(size).toBeLessThan(share + 8);
    }
    expect((await ran(url, ['import', path])).code).toBe(0);
    const byText = (rows: readonly object[]) => rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
    expect(byText(await stored(url))).toEqual(byText(events));
  });
});

test('a CSV with hostile texts is stored exactly', async () => {
  const url = await emptyService();
  const texts = [
    '=cmd|"/c calc"!A1',
    '\u001b]0;owned\u0007',
    '\u202egnp.exe',
    'a"b',
    'two\nlines',
    "'; --",
    '<b>&amp;',
    '@all',
  ];
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = texts.map((text, n) => [text, text, 'prod', 'success', minute(n), text, text, text].map(cell).join(','));
  const path = join(await testFolder(), 'hostile.csv');
  await writeFile(path, `deployment_id,service,environment,status,happened_at,actor,ref,version\n${rows.join('\n')}\n`);
  expect(await ran(url, ['import', path])).toMatchObject({ code: 0 });
  const { body } = await clientOf(url).listDeployments({ query: { limit: 500 } });
  expect(body.items.map(({ actor }) => actor).reverse()).toEqual(texts);
  const shown = await ran(url, ['export'], { isTerminal: true });
  expect(shown.stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
