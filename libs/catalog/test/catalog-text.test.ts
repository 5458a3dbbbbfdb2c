import { readFileSync } from 'node:fs';
import { settingsFaults } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { Catalog } from '../src/catalog.ts';
import { parseCatalog } from '../src/catalog-text.ts';

const read = (text: string) => {
  const { entries, presets } = parseCatalog(text, 'catalog.yaml');
  return new Catalog(entries, presets);
};
const faultsOf = (text: string) => settingsFaults(() => read(text));
const nothing = { team: null, owner: null, repository: null, runbook: null, tags: [] };

describe("Shiplog's own format", () => {
  test('the first matching entry defines everything about a service', () => {
    const catalog = read(`
      services:
        - { name: pay-old, team: core, tags: [legacy] }
        - { name: pay-*, team: payments, owner: Ann, repository: "https://git/pay", runbook: "https://wiki/pay" }
        - { name: pay-api, team: never, owner: nobody }
        - { name: "?\\\\*", team: null }
        - { name: "*", tags: [rest, of all] }
    `);
    expect(catalog.itemOf('pay-old')).toEqual({ ...nothing, service: 'pay-old', team: 'core', tags: ['legacy'] });
    expect(catalog.itemOf('pay-api')).toMatchObject({ team: 'payments', owner: 'Ann', runbook: 'https://wiki/pay' });
    expect(catalog.itemOf('a*')).toEqual({ ...nothing, service: 'a*' });
    expect(catalog.itemOf('a-')).toEqual({ ...nothing, service: 'a-', tags: ['rest', 'of all'] });
    expect(catalog.itemOf('Pay-api').tags).toEqual(['rest', 'of all']);
    expect(['core', 'payments', 'never', 'nobody'].map((team) => catalog.hasTeam(team))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test('JSON is accepted, with presets', () => {
    const text =
      '{\n\t"services": [{"name": "pay", "team": "core", "owner": null}],\n\t"presets": [{"name": "Mine", "view": "board", "query": "q=pay"}, {"name": "All", "query": ""}]\n}';
    const { presets } = read(text);
    expect(read(text).itemOf('pay').team).toBe('core');
    expect(presets).toEqual([
      { name: 'Mine', view: 'board', query: 'q=pay' },
      { name: 'All', view: null, query: '' },
    ]);
    expect(read('presets: []').itemOf('pay')).toEqual({ ...nothing, service: 'pay' });
  });

  test.each([
    [
      'services:\n  - name: a\n    teem: core\n',
      /^catalog\.yaml, line 3, column 5: services\[0\]\.teem is not known here; known names: name, team/,
    ],
    ['service: []', /line 1, column 1: service is not known here/],
    ['services:\n  - team: core\n', /line 2, column 5: services\[0\] needs a name/],
    ['services:\n  - name: ""\n', /line 2, .* is empty/],
    ['services:\n  - name: a\n    team: 5\n', /line 3, column 11: services\[0\]\.team must be text/],
    ['services:\n  - name: a\n    tags: pay\n', /line 3, .*tags must be a list/],
    ['services:\n  - name: a\n    tags: [pay, 1]\n', /line 3, .*tags\[1\] must be text/],
    ['services:\n  - name: "a\\\\"\n', /line 2, .* must not end in a bare backslash/],
    ['services:\n  - pay\n', /line 2, .* must be an object/],
    ['services: pay', /line 1, .* must be a list/],
    ['presets:\n  - view: board\n', /line 2, .*needs a name/],
    ['presets:\n  - name: a\n    query: [q]\n', /line 3, .*query must be text/],
    ['- a', /line 1, .* must be an object with services, presets/],
    ['', /line 1, .*the file is empty/],
    ['# nothing\n---\n', /the file is empty/],
    ['services: []\n---\nservices: []\n', /line 3, .*is a second document/],
    ['services:\n  - name: [\n', /line \d, .*invalid YAML/],
    ['services:\n  - name: a\n    name: b\n', /line 3, .*appears twice/],
    ['{"services": [}', /line 1, .*invalid YAML/],
    ['services: [&a { name: x }, *b]', /line 1, .*names the anchor/],
    [
      'services:\n  - &a { name: a }\n  - <<: *a\n',
      /line 3, column 5: merge keys are not supported; write the members out/,
    ],
    [
      `services:\n${'  - name: a\n'.repeat(10_001)}`,
      /line 10002, .*services\[10000\] exceeds the maximum of 10000 entries/,
    ],
    [`${'['.repeat(200)}`, /nested too deeply/],
    [`services: [&a { name: x }, ${'*a, '.repeat(101)}]`, /line 1, .*one alias too many; at most 100/],
  ])('the catalog error in %j is reported with its line', (text, sentence) => {
    expect(faultsOf(text).join('\n')).toMatch(sentence);
  });

  test('a repeated error is reported once, and only the first twenty errors are listed', () => {
    const entries = Array.from({ length: 30 }, (_, at) => `  - owner: ${at}\n`).join('');
    expect(faultsOf(`services:\n${entries}`)).toHaveLength(21);
  });
});

const component = `
apiVersion: backstage.io/v1alpha1
kind: Component
metadata:
  name: pay-api
  description: takes money
  annotations: { github.com/project-slug: acme/pay, other: "5" }
  links:
    - { url: "https://grafana/pay", title: Board, type: dashboard }
    - { url: "https://wiki/pay", type: runbook }
  tags: [java, money]
spec: { type: service, lifecycle: production, owner: "group:default/payments", dependsOn: [] }
`;

test("the demo's catalog is valid and has four presets", () => {
  const catalog = read(readFileSync(new URL('../../../demo/catalog.yaml', import.meta.url), 'utf8'));
  const teams = ['payments-api', 'payments-core', 'billing-reports', 'checkout-api', 'orders-worker', 'router'].map(
    (service) => catalog.teamOf(service),
  );
  expect(teams).toEqual(['payments', 'payments', 'payments', 'shop', 'shop', 'platform']);
  expect(catalog.presets).toHaveLength(4);
});

describe('Backstage entities', () => {
  test('a component has a team, repository, runbook and tags, and other kinds are skipped', () => {
    const catalog = read(
      `${component}---\nkind: Group\nmetadata: { name: payments }\n---\n---\nkind: Component\nmetadata:\n  name: "a*"\n  annotations: { gitlab.com/project-slug: acme/shop }\nspec:\n  owner: team-shop\n`,
    );
    expect(catalog.itemOf('pay-api')).toEqual({
      service: 'pay-api',
      team: 'payments',
      owner: null,
      repository: 'https://github.com/acme/pay',
      runbook: 'https://wiki/pay',
      tags: ['java', 'money'],
    });
    expect(catalog.itemOf('a*')).toMatchObject({ team: 'team-shop', repository: 'https://gitlab.com/acme/shop' });
    expect(catalog.itemOf('ab')).toEqual({ ...nothing, service: 'ab' });
    expect(catalog.itemOf('payments')).toEqual({ ...nothing, service: 'payments' });
  });

  test.each([
    ['group:payments', 'payments'],
    ['payments', 'payments'],
    ['ops/payments', 'payments'],
    ['group:ops/payments', 'payments'],
    ['user:default/ann', 'user:default/ann'],
  ])('the owner %s becomes the team %s', (owner, team) => {
    expect(read(`kind: Component\nmetadata: { name: a }\nspec: { owner: "${owner}" }`).itemOf('a').team).toBe(team);
  });

  test.each([
    [
      'kind: Component\nmetadata:\n  title: x\n',
      /line 3, column 3: metadata needs a metadata\.name|needs a metadata\.name/,
    ],
    ['kind: Component\n', /line 1, .*needs a metadata\.name/],
    ['kind: Component\nmetadata:\n  name: 5\n', /line 3, .*metadata\.name must be text/],
    ['kind: Component\nmetadata: { name: a }\nspec:\n  owner: [x]\n', /line 4, .*spec\.owner must be text/],
    ['kind: Component\nmetadata:\n  name: a\n  tags: x\n', /line 4, .*must be a list/],
    ['kind: Component\nmetadata: { name: a }\n---\nservices: []\n', /line 4, .*needs a kind/],
    [
      'kind: Component\nmetadata: { name: a }\nspec: { <<: { owner: b } }\n',
      /line 3, column 9: merge keys are not supported/,
    ],
    ['---\nkind: Component\nmetadata: { name: a }\n'.repeat(10_001), /line 30002, .*exceeds the maximum/],
  ])('the catalog error in %j is reported with its line', (text, sentence) => {
    expect(faultsOf(text).join('\n')).toMatch(sentence);
  });
});
