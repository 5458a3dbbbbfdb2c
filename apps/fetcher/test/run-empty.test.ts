import { sharedService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { checkCommand } from '../src/check/check-command.ts';
import { readConfig } from '../src/config.ts';
import { project, type Run, repository, smallRun } from './support/run.ts';

const service = sharedService();

const both = { GITHUB_REPOS: '', GITLAB_PROJECTS: '' };

async function forbid(run: Run, name: string): Promise<void> {
  await run.ci(`/repositories/${name}`, { forbidden: true }, 'PATCH');
}

async function archive(run: Run, name: string): Promise<void> {
  await run.ci(`/repositories/${name}`, { archived: true }, 'PATCH');
}

const cases: readonly [string, Record<string, string>, (run: Run) => Promise<void>, RegExp][] = [
  [
    'a token without permission',
    { GITHUB_REPOS: repository },
    (run) => forbid(run, repository),
    /No access to acme\/service-0/,
  ],
  ['a misspelled owner', { GITHUB_REPOS: 'acmee/*' }, async () => undefined, /No access to acmee\/\*\./],
  ['a misspelled group', { GITLAB_PROJECTS: 'acmee/**' }, async () => undefined, /No access to acmee\/\*\*\./],
  [
    'only archived repositories',
    { GITHUB_REPOS: 'acme/*' },
    (run) => archive(run, repository),
    /acme\/\* has only archived repositories, which are skipped/,
  ],
  [
    'only archived projects',
    { GITLAB_PROJECTS: 'acme/*' },
    (run) => archive(run, project),
    /acme\/\* has no unarchived projects that the token can see/,
  ],
  [
    'an archived project',
    { GITLAB_PROJECTS: project },
    (run) => archive(run, project),
    /acme\/project-0 is archived; archived projects are skipped/,
  ],
  [
    'a pattern without repositories',
    { GITHUB_REPOS: 'acme/x-*' },
    async () => undefined,
    /acme\/x-\* has no repositories/,
  ],
];

async function checked(run: Run, settings: Readonly<Record<string, string>>) {
  const told: string[] = [];
  const isWhole = await checkCommand({
    config: readConfig({ ...run.fetcherSettings, ...settings }),
    asJson: false,
    signal: new AbortController().signal,
    write: () => undefined,
    tell: (line) => void told.push(line),
  });
  return { isWhole, told };
}

test.each(cases)(
  'health shows a source with %s as degraded, and --check reports it',
  async (_, settings, prepare, sentence) => {
    const run = await smallRun({ service, repos: 1, fetcher: { ...both, ...settings } });
    await prepare(run);
    await run.startFetcher();
    await run.pass(30_000);
    const { status, sources } = await run.health();
    expect([status, sources[0]?.last_outcome]).toEqual(['degraded', 'ok']);
    expect(sources[0]?.last_error).toMatch(sentence);
    const { isWhole, told } = await checked(run, {});
    expect(isWhole).toBe(false);
    expect(told.join('\n')).toMatch(sentence);
  },
);

test('a GitLab base URL that ends in /api/v4 is reported', async () => {
  const run = await smallRun({ service, repos: 0 });
  await run.startFetcher({ GITLAB_BASE_URL: `${run.emulatorUrl}/api/v4` });
  await run.pass(30_000);
  const { status, sources } = await run.health();
  const sentence = /The base URL ends in \/api\/v4, which the fetcher adds\. Remove it\./;
  expect([status, sources[0]?.last_error]).toEqual(['degraded', expect.stringMatching(sentence)]);
  const { isWhole, told } = await checked(run, { GITLAB_BASE_URL: `${run.emulatorUrl}/api/v4` });
  expect([isWhole, told.join('\n')]).toEqual([false, expect.stringMatching(sentence)]);
});

test('a failing repository is listed with the reason by health and --check, and counted in metrics', async () => {
  const run = await smallRun({ service, repos: 2, projects: 0 });
  await run.ci('/faults', { match: { path: `/repos/${repository}/**` }, effect: { status: 500 }, for_ms: 3_600_000 });
  await run.startFetcher();
  const since = run.clock.now().getTime();
  await run.pass(90_000);
  const { status, sources } = await run.health();
  expect([status, sources[0]?.last_outcome]).toEqual(['degraded', 'ok']);
  expect(sources[0]?.failing).toEqual([
    { name: repository, since: expect.any(String), why: expect.stringMatching(/deployments: 500$/) },
  ]);
  expect(Math.abs(Date.parse(sources[0]?.failing[0]?.since ?? '') - since)).toBeLessThan(2000);
  const metrics = await (await fetch(`${run.fetcherUrl}/metrics`)).text();
  expect(metrics).toContain('shiplog_fetcher_failing_repositories{source="github-actions"} 1');
  expect(metrics).toContain('shiplog_fetcher_forbidden_repositories{source="github-actions"} 0');
});
