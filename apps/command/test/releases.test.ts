import type { EnvironmentsDiff, EvidenceReport, Matrix, Release } from '@shiplog/contract';
import { anEvent, clientOf, minute, postStored, sharedService } from '@shiplog/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { documents, ran } from './support/call.ts';

let url: string;
// A period without any retained events would be refused, so the service keeps these events in every year.
const empty = sharedService({ config: { historyRetentionDays: 1_000_000 } });

/**
 * The service pay has two more releases in staging than in prod, web has the same release in both, and docs is only in
 * staging.
 */
beforeEach(async () => {
  ({ url } = await empty());
  const post = (service: string, environment: string, version: string, at: number, more: object = {}) =>
    postStored(url, anEvent({ service, environment, version, happened_at: minute(at), ...more }));
  for (const [at, version] of ['1.0', '1.1', '1.2'].entries())
    await post('pay', 'staging', version, at, { actor: 'ann' });
  await post('pay', 'prod', '1.0', 5, { sha: 'abcdef0123456789' });
  await post('pay', 'prod', '1.1', 6, { status: 'failure' });
  for (const environment of ['staging', 'prod']) await post('web', environment, '7', 1);
  await post('do_cs', 'staging', '`3`', 1);
});

const linesOf = (stdout: string) =>
  stdout
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.split('\t'));

describe('the command where', () => {
  test('where prints the board row of a service', async () => {
    const [matrix] = documents((await ran(url, ['where', 'pay', '--json'])).stdout) as [Matrix];
    expect(matrix.rows.map(({ service }) => service)).toEqual(['pay']);
    const lines = linesOf((await ran(url, ['where', 'pay'])).stdout);
    expect(lines.map((cells) => cells.slice(0, 4))).toEqual([
      ['pay', 'prod', 'failure', '1.1'],
      ['pay', 'staging', 'success', '1.2'],
    ]);
  });

  test.each([['1.0'], ['ABCDEF01']])(
    'where prints the environments that had release %s, and since when it has been running there',
    async (wanted) => {
      const found = await ran(url, ['where', wanted]);
      expect([found.code, linesOf(found.stdout).map((cells) => cells.slice(0, 5))]).toEqual([
        0,
        [
          ['pay', '1.0', 'prod', 'running', minute(5)],
          ['pay', '1.0', 'staging', 'success, not running', minute(0)],
        ],
      ]);
      const { body } = await clientOf(url).listReleases({ query: { q: wanted } });
      expect(documents((await ran(url, ['where', wanted, '--json'])).stdout)).toEqual(body.items);
    },
  );

  test('where lists at most --limit releases, and exits with 1 if it finds none', async () => {
    expect(documents((await ran(url, ['where', '1.', '--json', '--limit', '2'])).stdout)).toMatchObject([
      { version: '1.1' },
      { version: '1.0' },
    ] satisfies Partial<Release>[]);
    for (const wanted of ['9.9', 'x', '\u001b[31m']) {
      const { code, stdout, stderr } = await ran(url, ['where', wanted]);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).not.toContain('\u001b');
    }
  });
});

describe('the command diff', () => {
  test('diff prints the differences that the API returns', async () => {
    const { stdout, stderr } = await ran(url, ['diff', 'staging', 'prod']);
    expect(linesOf(stdout)).toEqual([
      ['do_cs', '`3`', '', 'only-from', '', ''],
      ['pay', '1.2', '1.0', 'ahead', '2', minute(1)],
    ]);
    expect(stderr).toContain('staging to prod: 1 same, 1 ahead, 1 only-from.');
    const all = linesOf((await ran(url, ['diff', 'staging', 'prod', '--all', '--services', '?e*'])).stdout);
    expect(all).toEqual([['web', '7', '7', 'same', '', '']]);
    const [json] = documents((await ran(url, ['diff', 'prod', 'staging', '--json'])).stdout) as [EnvironmentsDiff];
    expect(json).toEqual((await clientOf(url).diffEnvironments({ query: { from: 'prod', to: 'staging' } })).body);
  });

  test('diff --at compares past states', async () => {
    const { stdout } = await ran(url, ['diff', 'staging', 'prod', '--at', minute(4), '--services', 'pay']);
    expect(linesOf(stdout)).toEqual([['pay', '1.2', '', 'only-from', '', '']]);
  });

  test('diff --markdown prints release notes, with all markup in names escaped', async () => {
    expect((await ran(url, ['diff', 'staging', 'prod', '--markdown'])).stdout).toBe(
      [
        '## staging → prod',
        '',
        '- **do\\_cs** not deployed → `\uFFFD3\uFFFD` (only-from)',
        '- **pay** `1.0` → `1.2` (2 releases)',
        '',
      ].join('\n'),
    );
    await postStored(url, anEvent({ service: '@ops www.x.example', environment: 'staging', happened_at: minute(1) }));
    expect((await ran(url, ['diff', 'staging', 'prod', '--markdown'])).stdout).toContain(
      '- **\\@\u200bops www\u200b.x.example** not deployed',
    );
    const same = await ran(url, ['diff', 'staging', 'prod', '--markdown', '--services', 'web']);
    expect(same.stdout).toBe('## staging → prod\n\nNo differences.\n');
    expect(await ran(url, ['diff', 'staging', 'prod', '--markdown', '--json'])).toMatchObject({ code: 2 });
  });
});

describe('the command evidence', () => {
  const period = ['--from', '2026-05-01', '--to', '2026-05-10'];

  test('evidence prints the formula of a figure and its rows, counted and left out', async () => {
    const asked = ['evidence', 'change_failure_rate', ...period, '--environments', 'prod'];
    const { code, stdout, stderr } = await ran(url, asked);
    expect([code, linesOf(stdout).map((cells) => cells.slice(0, 5))]).toEqual([
      0,
      [
        [minute(6), 'yes', '1', '', 'pay'],
        [minute(5), 'yes', '0', '', 'pay'],
        [minute(1), 'yes', '0', '', 'web'],
      ],
    ]);
    expect(stderr).toMatch(/1 failure.* = 0\.333/);
    const [json] = documents((await ran(url, [...asked, '--json'])).stdout) as [EvidenceReport];
    const query = { from: '2026-05-01', to: '2026-05-10', environments: ['prod'] };
    const { body } = await clientOf(url).getEvidence({ params: { figure: 'change_failure_rate' }, query });
    expect(json).toEqual(body);
  });

  test('evidence reads pages up to --limit, and filters by --counted', async () => {
    const some = await ran(url, ['evidence', 'rollbacks', ...period, '--limit', '3']);
    expect(linesOf(some.stdout)).toHaveLength(3);
    expect(some.stderr).toContain('more with --limit');
    const out = await ran(url, ['evidence', 'rollbacks', ...period, '--counted', 'true']);
    expect(out.stdout).toBe('');
    expect(out.stderr).toMatch(/Left out: \d+ no-rollback\./);
    expect(await ran(url, ['evidence', 'speed'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('lead_time'),
    });
  });
});
