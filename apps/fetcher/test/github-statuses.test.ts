import { describe, expect, test } from 'vitest';
import { isExact, linksOf, pickDeployment, pickStatus } from '../src/adapters/github/api.ts';
import { versionTemplate } from '../src/adapters/github/defaults.ts';
import { actorOf, changeOf, inOrder, isTerminal, meaningsOf, newestOf } from '../src/adapters/github/translator.ts';
import { aDeployment, aStatus, type Members, repo, sha, urlOf } from './support/github-bodies.ts';

const statusAt = (id: number, at: string, state = 'queued') =>
  pickStatus(aStatus({ id, state, created_at: `2026-05-04T${at}` }));

test('fetcher §9.1: statuses are sorted by instant, then by id', () => {
  const statuses = [statusAt(3, '08:00:01Z'), statusAt(9, '08:00:00Z'), statusAt(2, '08:00:01Z')];
  expect(inOrder(statuses).map(({ id }) => id)).toEqual([9, 2, 3]);
  expect(newestOf(statuses)?.id).toBe(3);
  expect(newestOf([])).toBeUndefined();
});

test('statuses with different UTC offsets are sorted by instant', () => {
  expect(inOrder([statusAt(2, '07:00:00Z'), statusAt(1, '08:30:00+02:00')]).map(({ id }) => id)).toEqual([1, 2]);
});

test.each([
  ...['success', 'failure', 'error', 'inactive'].map((state) => [state, true] as const),
  ...['pending', 'queued', 'waiting', 'in_progress', 'paused', 'toString'].map((state) => [state, false] as const),
])('fetcher §9.1: decides whether %s ends a deployment: %s', (state, isEnd) => {
  expect(isTerminal(state)).toBe(isEnd);
});

test.each([
  ['pending queued waiting in_progress', 'pending queued waiting in-progress'],
  ['success', 'success'],
  ['failure error', 'failed failed'],
  ['inactive', 'nothing'],
  ['in_progress inactive', 'in-progress cancelled'],
  ['pending inactive inactive', 'pending cancelled nothing'],
  ['success inactive', 'success nothing'],
  ['failure inactive', 'failed nothing'],
  ['success in_progress inactive', 'success in-progress cancelled'],
  ['paused constructor', 'unknown unknown'],
  ['in_progress paused inactive', 'in-progress unknown cancelled'],
  ['success paused inactive', 'success unknown nothing'],
])('fetcher §9.3: the statuses %s become %s', (states, meanings) => {
  const statuses = states.split(' ').map((state, id) => statusAt(id, '08:00:00Z', state));
  expect(
    meaningsOf(statuses)
      .map(({ meaning }) => meaning)
      .join(' '),
  ).toBe(meanings);
});

test.each([
  ['the log URL', urlOf(11, 7), 'https://other.example', { url: urlOf(11, 7), runId: '11', jobId: 7 }],
  ['the target URL if there is no log URL', '', urlOf(12), { url: urlOf(12), runId: '12', jobId: undefined }],
  [
    'the target URL with the job if the log URL has none',
    urlOf(12),
    urlOf(12, 8),
    { url: urlOf(12), runId: '12', jobId: 8 },
  ],
  [
    'the URL of an attempt',
    `${urlOf(11)}/attempts/2/job/9`,
    '',
    { url: `${urlOf(11)}/attempts/2/job/9`, runId: '11', jobId: 9 },
  ],
  [
    'a URL of another tool',
    'https://ci.example/job/5',
    '',
    { url: 'https://ci.example/job/5', runId: '', jobId: undefined },
  ],
  ['nothing', '', '', { url: '', runId: '', jobId: undefined }],
  [
    'a job id too large for a number',
    `${urlOf(11)}/job/9007199254740993`,
    '',
    { url: `${urlOf(11)}/job/9007199254740993`, runId: '11', jobId: undefined },
  ],
])('fetcher §9.2: run and job are read from URLs: %s', (_, logUrl, targetUrl, links) => {
  expect(linksOf({ logUrl, targetUrl })).toEqual(links);
});

test.each([
  ['', false],
  ['11', true],
  ['9'.repeat(15), true],
  ['9'.repeat(16), false],
])('a run with the id "%s" can be requested: %s', (id, can) => {
  expect(isExact(id)).toBe(can);
});

const alice = { login: 'alice', isBot: false };
const bot = { login: 'ci[bot]', isBot: true };
const other = { login: 'renovate[bot]', isBot: true };

test.each([
  ['the first person', [bot, alice, { ...alice, login: 'bob' }], 'alice'],
  ['the first bot if all are bots', [undefined, other, bot], 'renovate[bot]'],
  ['empty without candidates', [undefined, undefined], ''],
])('fetcher §9.2: the actor is %s', (_, candidates, actor) => {
  expect(actorOf(candidates)).toBe(actor);
});

describe('the variables of a change', () => {
  const known = { adapter: 'github-actions', repo, meaning: 'success' as const, job: '', parents: ['gh-deploy-100'] };
  const changeBy = (deployment: Members, status: Members = {}, more: Members = {}) =>
    changeOf({
      ...known,
      deployment: pickDeployment(aDeployment(deployment)),
      status: pickStatus(aStatus(status)),
      ...more,
    });

  test('fetcher §9.2: contain fields of its deployment, its status and its run', () => {
    const payload = { version: '1.2.3' };
    const run = { name: 'Deploy', actor: { login: 'bob', isBot: false } };
    expect(changeBy({ payload, transient_environment: true }, {}, { run, job: 'To staging' })).toEqual({
      ...{ id: 'gh-deploy-101', order: 1001, status: 'success', at: '2026-05-04T08:05:00Z', identity: 'instant' },
      ...{ parents: ['gh-deploy-100'], payload },
      vars: {
        ...{ adapter: 'github-actions', repo: 'acme/shop', owner: 'acme', name: 'shop', environment: 'staging' },
        ...{ workflow: 'Deploy', job: 'To staging', ref: 'main', tag: '', task: 'deploy', actor: 'bob', id: '101' },
        ...{ sha, sha7: 'a1b2c3d', transient: 'true', run_id: '11', run_number: '11', run_url: urlOf(11, 7) },
      },
    });
  });

  test('fetcher §9.5: contain no run outside Actions', () => {
    const { vars } = changeBy({}, { log_url: '' });
    expect(vars).toMatchObject({ run_url: '', run_number: '', run_id: '', workflow: '', job: '', actor: 'alice' });
  });

  test.each([
    ['refs/tags/v1.2', 'v1.2'],
    ['v1.2', ''],
    ['refs/heads/main', ''],
  ])('fetcher §15.1: the tag of the ref %s is "%s"', (ref, tag) => {
    expect(changeBy({ ref }).vars).toMatchObject({ ref, tag });
  });
});

test.each([
  ['attribute:sha', '{sha7}'],
  ['attribute:ref', '{ref}'],
  ['payload:version', '{payload.version}'],
  ['payload:build.version', '{payload.build.version}'],
  ['artifact:version.txt', '{artifact:version.txt}'],
  ['attribute:nothing', undefined],
  ['payload:a..b', undefined],
  ["artifact:a|'b'", undefined],
  ['artifact: a', undefined],
  ['artifact:', undefined],
  ['sha', undefined],
  ['tag:x', undefined],
])('fetcher §2: the version source %s means the template %s', (source, template) => {
  expect(versionTemplate(source)).toBe(template);
});
