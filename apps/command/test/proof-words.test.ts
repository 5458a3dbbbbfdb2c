import type { Proof, ProvenToken } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { proofText } from '../src/questions/proofs.ts';

const nothing: Proof = { kind: 'shared', key: null, token: null, verified_at: null, claims: [] };
const token: ProvenToken = {
  ...{ issuer: 'https://token.actions.githubusercontent.com', kind: 'github', repository: 'acme/payments' },
  ...{ repository_id: '7', environment: 'prod', ref: 'refs/heads/main', sha: null, workflow: null, actor: 'alice' },
  ...{ run_url: 'https://github.com/acme/payments/actions/runs/7421', runner: null },
};
const gitlab: ProvenToken = {
  ...{ ...token, kind: 'gitlab', issuer: 'https://gitlab.com', ref: 'main' },
  run_url: 'https://gitlab.com/acme/payments/-/jobs/55',
};
const generic: ProvenToken = {
  ...{ ...token, kind: 'generic', issuer: 'https://k8s.example', repository: null, ref: null, run_url: null },
  actor: 'ci:deploy',
};

test.each<[string, Partial<Proof> | undefined]>([
  ['', undefined],
  ['before Shiplog recorded who posts', { kind: 'unknown' }],
  ['with the shared key', {}],
  ['with the key jenkins-payments', { kind: 'key', key: { id: 'k7f3q2xa', name: 'jenkins-payments' } }],
  ['by GitHub Actions, acme/payments, run 7421, on main', { kind: 'token', token }],
  ['by GitLab CI, acme/payments, run 55, on main', { kind: 'token', token: gitlab }],
  ['by https://k8s.example, ci:deploy', { kind: 'token', token: generic }],
  [
    'by GitHub Actions, acme/payments, run 7421, on main; contradicted: actor was alice',
    {
      ...{ kind: 'token', token },
      claims: [
        { field: 'actor', event: 'bob', proven: 'alice', agrees: false },
        { field: 'environment', event: 'prod', proven: 'prod', agrees: true },
      ],
    },
  ],
])('%s', (words, proof) => expect(proofText(proof && { ...nothing, ...proof })).toBe(words));
