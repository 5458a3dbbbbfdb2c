import type { ComparedClaim } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import type { Issuer } from '../src/issuer.ts';
import { comparedClaims, provenToken, tokenIdentity, tokenSubject } from '../src/proof.ts';
import { issuers } from './tokens.ts';

type Event = Parameters<typeof comparedClaims>[1];

const sha = '9f1c2ab4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8';
const github = {
  ...{ repository: 'acme/payments', repository_id: '7', environment: 'prod', ref: 'refs/heads/main', sha },
  ...{ run_id: '7421', workflow_ref: 'acme/payments/.github/workflows/deploy.yml@refs/heads/main', actor: 'alice' },
  ...{ runner_environment: 'github-hosted', sub: 'repo:acme/payments:environment:prod' },
};
const gitlab = {
  ...{ project_path: 'acme/payments', project_id: '3', environment: 'prod', ref: 'main', sha },
  ...{ job_id: '55', pipeline_id: '54', ci_config_ref_uri: 'git.corp.example/acme/payments//.gitlab-ci.yml@main' },
  ...{ user_login: 'alice', runner_environment: 'self-hosted', sub: 'project_path:acme/payments' },
};
const tokens = {
  github: { issuer: issuers.github, claims: github },
  gitlab: { issuer: issuers.corp, claims: gitlab },
  generic: { issuer: issuers.cluster, claims: { sub: 'system:serviceaccount:ci:deploy' } },
} as const;

test('what is kept of a token of GitHub, GitLab and another issuer', () => {
  expect(provenToken(tokens.github)).toEqual({
    ...{ issuer: issuers.github.url, kind: 'github', repository: 'acme/payments', repository_id: '7' },
    ...{ environment: 'prod', ref: 'refs/heads/main', sha, workflow: github.workflow_ref, actor: 'alice' },
    ...{ run_url: 'https://github.com/acme/payments/actions/runs/7421', runner: 'github-hosted' },
  });
  expect(provenToken(tokens.gitlab)).toEqual({
    ...{ issuer: issuers.corp.url, kind: 'gitlab', repository: 'acme/payments', repository_id: '3' },
    ...{ environment: 'prod', ref: 'main', sha, workflow: gitlab.ci_config_ref_uri, actor: 'alice' },
    ...{ run_url: 'https://git.corp.example/acme/payments/-/jobs/55', runner: 'self-hosted' },
  });
  expect(provenToken(tokens.generic)).toEqual({
    ...{ issuer: issuers.cluster.url, kind: 'generic', repository: null, repository_id: null },
    ...{ environment: null, ref: null, sha: null, workflow: null, actor: 'system:serviceaccount:ci:deploy' },
    ...{ run_url: null, runner: null },
  });
});

const event = (fields: Partial<Event>): Event => ({ service: 'pay', environment: '', ...fields }) as Event;

describe('which fields agree', () => {
  const run = 'https://github.com/acme/payments/actions/runs/7421';
  const job = 'https://git.corp.example/acme/payments/-/jobs/55';
  test.each<[keyof typeof tokens, ComparedClaim['field'], string, boolean]>([
    ['github', 'sha', sha, true],
    ['github', 'sha', sha.slice(0, 7), true],
    ['github', 'sha', sha.toUpperCase(), true],
    ['github', 'sha', sha.slice(0, 6), false],
    ['github', 'sha', `${sha.slice(0, 7)}0`, false],
    ['github', 'environment', 'Prod', true],
    ['github', 'environment', 'staging', false],
    ['github', 'actor', 'ALICE', true],
    ['github', 'actor', 'bob', false],
    ['github', 'run_url', run, true],
    ['github', 'run_url', `${run}/job/9?pr=1#step`, true],
    ['github', 'run_url', `${run}/attempts/2`, true],
    ['github', 'run_url', run.replace('acme', 'Acme').replace('https', 'http'), true],
    ['github', 'run_url', `${run}0`, false],
    ['github', 'run_url', run.replace('github.com', 'evil.example'), false],
    ['github', 'run_url', run.replace('acme/payments', 'acme/other'), false],
    ['gitlab', 'environment', 'Prod', false],
    ['gitlab', 'actor', 'Alice', false],
    ['gitlab', 'run_url', job, true],
    ['gitlab', 'run_url', job.replace('jobs/55', 'pipelines/54'), true],
    ['gitlab', 'run_url', job.replace('jobs/55', 'jobs/54'), false],
    ['generic', 'actor', 'system:serviceaccount:ci:deploy', true],
    ['generic', 'actor', 'alice', false],
  ])('%s %s %s: %j', (kind, field, said, agrees) => {
    const proven = provenToken(tokens[kind])[field];
    expect(comparedClaims(tokens[kind], event({ [field]: said }))).toContainEqual({
      field,
      event: said,
      proven,
      agrees,
    });
  });

  test('a field that one side lacks is not compared', () => {
    expect(comparedClaims(tokens.github, event({}))).toEqual([]);
    const all = event({ sha, environment: 'prod', run_url: 'https://ci.example/1' });
    expect(comparedClaims(tokens.generic, all)).toEqual([]);
  });
});

test.each<[keyof typeof tokens, string, object]>([
  ['github', 'github/acme/payments', { id: '7', name: 'acme/payments' }],
  ['gitlab', 'corp/acme/payments', { id: '3', name: 'acme/payments' }],
  [
    'generic',
    'cluster/system:serviceaccount:ci:deploy',
    { id: 'system:serviceaccount:ci:deploy', name: 'system:serviceaccount:ci:deploy' },
  ],
])('the identity of a token of %s', (kind, subject, identity) => {
  expect(tokenSubject(tokens[kind])).toBe(subject);
  expect(tokenIdentity(tokens[kind])).toEqual(identity);
});

test('a token that lacks the usual claims of its issuer is identified by its sub', () => {
  const token: { issuer: Issuer; claims: Record<string, unknown> } = { issuer: issuers.github, claims: { sub: 'x' } };
  expect(tokenSubject(token)).toBe('github/x');
  expect(tokenIdentity(token)).toEqual({ id: 'x', name: 'x' });
  expect(provenToken(token)).toMatchObject({ repository: null, run_url: null, actor: null });
});
