import { expect, test } from 'vitest';
import { type CheckRow, checkJson, renderCheck, sharedServices } from '../src/check/check-report.ts';

interface Fields extends Partial<CheckRow> {
  /** The result of mapping the deployment to `prod`. */
  readonly services?: readonly string[];
  readonly version?: string;
}

function row({ services, version, ...fields }: Fields = {}): CheckRow {
  const becomes = services?.map((service) => ({
    ...{ deployment_id: 'gh-deploy-7', service, environment: 'prod', status: 'success' as const },
    ...{ happened_at: '2026-05-04T09:12:02Z', ...(version !== undefined && { version }) },
  }));
  return {
    ...{ source: 'github-actions', repo: 'acme/web', deployment: 'gh-deploy-7', environment: 'production' },
    ...{ status: 'success', becomes: becomes ?? 'dropped', ...fields },
  };
}

test('the --check table has a row per event and lists services shared by several repositories', () => {
  const rows = [
    row({ services: ['web'], version: '1.4.2' }),
    row({ deployment: 'gh-deploy-12', environment: 'pr-7', status: 'in-progress' }),
    row({ repo: 'acme/mono', services: ['api', 'web'] }),
    row({ repo: 'acme/x', environment: '', becomes: 'unmapped' }),
  ];
  expect(renderCheck(rows)).toBe(
    [
      'SOURCE          REPOSITORY  DEPLOYMENT    ENVIRONMENT      SERVICE     ENVIRONMENT  VERSION  STATUS',
      'github-actions  acme/web    gh-deploy-7   production   ->  web         prod         1.4.2    success',
      'github-actions  acme/web    gh-deploy-12  pr-7         ->  (dropped)                         in-progress',
      'github-actions  acme/mono   gh-deploy-7   production   ->  api         prod                  success',
      'github-actions  acme/mono   gh-deploy-7   production   ->  web         prod                  success',
      'github-actions  acme/x      gh-deploy-7                ->  (unmapped)                        success',
      '',
      'Services that come from more than one repository:',
      'web: github-actions acme/mono, github-actions acme/web',
      '',
    ].join('\n'),
  );
});

test('--check omits the list of shared services if there are none, and reports an empty result', () => {
  expect(renderCheck([row({ services: ['web'] })])).not.toContain('more than one');
  expect(renderCheck([])).toBe('No deployments found.\n');
});

test('the --check table escapes control characters and keeps columns aligned despite wide characters', () => {
  const lines = renderCheck([row({ repo: 'a\u001b[2J\nb\u202e😀', services: ['x'] }), row({ services: ['y'] })]).split(
    '\n',
  );
  expect(lines[1]).toContain('a\\u{1b}[2J\\u{a}b\\u{202e}😀');
  expect([...(lines[1] ?? '')].indexOf('x')).toBe([...(lines[2] ?? '')].lastIndexOf('y'));
});

test('a service may be shared by repositories of different sources', () => {
  const rows = [
    row({ services: ['b', 'a'] }),
    row({ deployment: 'gh-deploy-8', services: ['c'] }),
    row({ deployment: 'gh-deploy-9', services: ['c'] }),
    row({ source: 'ghes', services: ['a'] }),
    row({ repo: 'acme/api', services: ['b', 'a'] }),
    row({ repo: 'acme/x' }),
  ];
  const [web, api, other] = [
    { source: 'github-actions', repo: 'acme/web' },
    { source: 'github-actions', repo: 'acme/api' },
    { source: 'ghes', repo: 'acme/web' },
  ];
  expect(sharedServices(rows)).toEqual([
    { service: 'a', repositories: [other, api, web] },
    { service: 'b', repositories: [api, web] },
  ]);
});

test('--check --json prints the result as JSON', () => {
  const rows = [row({ services: ['web'] }), row({ repo: 'acme/api', services: ['web'] }), row()];
  expect(JSON.parse(checkJson(rows))).toEqual({ deployments: rows, shared_services: sharedServices(rows) });
});
