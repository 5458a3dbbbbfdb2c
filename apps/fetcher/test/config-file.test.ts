import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfigFile } from '../src/config/config-file.ts';
import { configOf, mistakesIn, twoAdapters } from './support/config.ts';

describe('the configuration file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fetcher-config-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function read(content: string | Buffer) {
    const path = join(folder, 'fetcher.yaml');
    writeFileSync(path, content);
    return () => readConfigFile(path, twoAdapters);
  }

  test('is read up to a size of 256 KiB, and refused beyond', () => {
    const text = 'version: 1\n#';
    const content = text + 'x'.repeat(256 * 1024 - text.length);
    expect(read(content)().rules).toEqual([]);
    expect(read(`${content}x`)).toThrow('fetcher.yaml has more than 256 KiB');
  });

  test('must exist and must be UTF-8', () => {
    const missing = join(folder, 'none.yaml');
    expect(() => readConfigFile(missing, twoAdapters)).toThrow(`${missing} cannot be read (ENOENT).`);
    expect(read(Buffer.from('version: 1 # \xe9', 'latin1'))).toThrow('fetcher.yaml is not UTF-8');
    expect(read('\ufeffversion: 1')().rules).toEqual([]);
  });

  test('with twenty-one errors reports only twenty', () => {
    const mistakes = mistakesIn(`version: 1\n${Array.from({ length: 21 }, (_, index) => `x${index}: 1\n`).join('')}`);
    expect(mistakes).toMatch(/^line 2, .*\nline 21, column 1: x19 .*\nfetcher\.yaml has more errors: 1\.$/s);
  });

  test('with errors is reported with a sentence for each, with file, line and column', () => {
    expect(read('version: 2\nfoo: 1\n')).toThrow(
      /^\S+fetcher\.yaml, line 1, column 10: version must be 1.*\.\n\S+fetcher\.yaml, line 2, column 1: foo is not known here.*\.$/,
    );
  });
});

test('a file with only a version is valid and empty', () => {
  expect(configOf()).toEqual({ sources: undefined, environments: new Map(), rules: [], webhooks: [], calendars: [] });
});

test.each<[string, string]>([
  ['', 'line 1, column 1: the file must be an object with version, sources'],
  ['- a', 'line 1, column 1: the file must be an object'],
  ['rules: []', 'line 1, column 1: the file needs "version: 1".'],
  ['version: 2', 'line 1, column 10: version must be 1'],
  ['version: "1"', 'line 1, column 10: version must be 1'],
  ['version: 1\n\n  \nrule: []', 'line 4, column 1: rule is not known here; known names: version, sources,'],
  ['version: 1\nrules:', 'line 2, column 7: rules must be a list.'],
  ['version: 1\nrules: {}', 'line 2, column 8: rules must be a list.'],
  ['version: 1\nversion: 1', 'line 2, column 1: this name appears twice'],
  ['version: 1\n1: x', "line 2, column 1: the file has a name that isn't text; quote it."],
  ['version: 1\n<<: { rules: [] }', 'line 2, column 1: merge keys are not supported'],
  ['version: 1\nrules: [', 'line 2, column 9: invalid YAML: '],
  ['version: 1\n---\nversion: 1', 'line 2, column 1: the file has a second document; it must have only one.'],
  ['%YAML 1.1\n---\nversion: 1', 'line 1, column 1: the file declares YAML 1.1; it must be YAML 1.2.'],
  ['version: 1\nrules: !!set {}', 'YAML tags are not supported'],
  ['version: !int 1', 'line 1, column 10: YAML tags are not supported'],
  [
    'version: 1\nrules:\n  - { match: { repo: *x } }',
    'line 3, column 22: rules[0].match.repo names the anchor "x", which',
  ],
])('refuses the file %j: %s', (text, sentence) => {
  expect(mistakesIn(text)).toContain(sentence);
});

test('refuses endless nesting without a crash', () => {
  expect(mistakesIn(`version: 1\nrules: ${'['.repeat(5000)}`)).toContain('invalid YAML');
});

describe('YAML aliases in the file', () => {
  const file = (aliases: number) => [
    'version: 1',
    'environments: { x: &name prod }',
    'rules:',
    ...Array.from({ length: aliases }, () => '  - { environment: *name }'),
  ];

  test('are resolved, up to a hundred', () => {
    const rules = configOf(...file(100).slice(1)).rules;
    expect(rules.map(({ environment }) => environment?.fill(() => ''))).toEqual(Array(100).fill('prod'));
  });

  test('are refused beyond a hundred, with one sentence', () => {
    expect(mistakesIn(file(103).join('\n'))).toMatch(/^line 104, .* is one alias too many; at most 100 are allowed\.$/);
  });

  test('that contain themselves are refused', () => {
    expect(mistakesIn('version: 1\nrules: &r\n  - { match: *r }')).toContain('rules[0].match must be an object');
  });
});

describe('rules in the file', () => {
  test.each<[string, string]>([
    ['text', 'rules[0] must be an object with match, drop, service, environment, version'],
    ['{ servce: x }', 'rules[0].servce is not known here'],
    ['{ match: repo }', 'rules[0].match must be an object'],
    ['{ match: { repos: x } }', 'rules[0].match.repos is not a variable that can be matched'],
    ['{ match: { payload.a: x } }', 'rules[0].match["payload.a"] is not a variable that can be matched'],
    ['{ match: { repo: 7 } }', 'rules[0].match.repo must be text; quote it'],
    ['{ match: { transient: true } }', 'rules[0].match.transient must be text; quote it'],
    ['{ match: { repo: [] } }', 'rules[0].match.repo has only patterns with "!"'],
    ['{ match: { repo: [a, { b: c }] } }', 'rules[0].match.repo[1] must be text'],
    ['{ match: { repo: "" } }', 'rules[0].match.repo is empty; it must be text.'],
    ['{ match: { repo: "{x" } }', 'rules[0].match.repo has an unclosed "{"'],
    ['{ match: { repo: "{x}", ref: "{x}" } }', 'rules[0].match captures "x" in two variables.'],
    ['{ drop: yes }', 'rules[0].drop must be true or false.'],
    ['{ drop: true, service: x }', 'rules[0].service has no effect in a rule that drops changes'],
    ['{ drop: true, version: x }', 'rules[0].version has no effect in a rule that drops changes'],
    ['{ service: {svc} }', 'rules[0].service must be text; quote it'],
    ['{ service: "{svc}" }', 'rules[0].service names "svc" in "{svc}", which is unknown; known names: adapter, repo,'],
    ['{ match: { repo: "{r}" }, service: "{x}" }', 'version, r, payload.<path>.'],
    ['{ service: "{artifact:v}" }', 'rules[0].service names "artifact:v" in "{artifact:v}", which is unknown'],
    ['{ version: "{artifact:}" }', 'names "artifact:"'],
    ['{ version: "{payload}" }', 'names "payload"'],
    ['{ version: "{payload.}" }', 'names "payload."'],
    ['{ version: "{payload.a..b}" }', 'names "payload.a..b"'],
    ['{ environment: "" }', 'rules[0].environment is empty'],
    ['{ service: [] }', 'rules[0].service must have 1 to 32 services.'],
    [`{ service: [${Array(33).fill('x')}] }`, 'rules[0].service must have 1 to 32 services.'],
    ['{ service: [x, 7] }', 'rules[0].service[1] must be text'],
  ])('are refused, such as %s: %s', (rule, sentence) => {
    expect(mistakesIn(`version: 1\nrules:\n  - ${rule}`)).toContain(sentence);
  });

  test('are reported with their line numbers', () => {
    const { rules } = configOf(
      'rules:',
      '  - match:',
      '      repo: x',
      '  - drop: false',
      `  - { service: [${Array(32).fill('x')}] }`,
    );
    expect(rules.map(({ line }) => line)).toEqual([3, 5, 6]);
    expect(rules.map(({ drop }) => drop)).toEqual([false, false, false]);
  });
});

describe('environments in the file', () => {
  test('map old names to new ones', () => {
    const { environments } = configOf('environments: { Production: prod, __proto__: x }');
    expect([...environments]).toEqual([
      ['production', 'prod'],
      ['__proto__', 'x'],
    ]);
  });

  test.each([
    ['[a]', 'environments must be an object'],
    ['{ a: 1 }', 'environments.a must be text; quote it'],
    ['{ a: }', 'environments.a must be text'],
    ['{ a: "" }', 'environments.a is empty'],
    ['{ prod: a, PROD: b }', 'environments.PROD renames "PROD" twice (case is ignored)'],
  ])('are refused, such as %s: %s', (environments, sentence) => {
    expect(mistakesIn(`version: 1\nenvironments: ${environments}`)).toContain(sentence);
  });
});
