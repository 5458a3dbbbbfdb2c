import { posterOf } from '@shiplog/text';
import { expect, test } from 'vitest';

const token = {
  kind: 'github',
  issuer: 'https://token.actions.githubusercontent.com',
  repository: 'acme/payments',
  run_url: 'https://github.com/acme/payments/actions/runs/7421',
  ref: 'refs/heads/main',
  actor: 'alice',
};

test.each([
  [{ kind: 'token', key: null, token }, 'by GitHub Actions, acme/payments, run 7421, on main'],
  [
    { kind: 'token', key: null, token: { ...token, kind: 'gitlab', run_url: null, ref: 'refs/tags/v1' } },
    'by GitLab CI, acme/payments, on v1',
  ],
  [
    {
      kind: 'token',
      key: null,
      token: { ...token, kind: 'generic', issuer: 'https://k8s.example', repository: null, run_url: null, ref: null },
    },
    'by https://k8s.example, alice',
  ],
  [{ kind: 'key', key: { name: 'jenkins-payments' }, token: null }, 'with the key jenkins-payments'],
  [{ kind: 'shared', key: null, token: null }, 'with the shared key'],
  [{ kind: 'unknown', key: null, token: null }, 'before Shiplog recorded who posts'],
])('%j was posted %s', (proof, text) => {
  expect(posterOf(proof)).toBe(text);
});
