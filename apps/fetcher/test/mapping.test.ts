import { describe, expect, test } from 'vitest';
import type { Change, Json, SourceDefaults } from '../src/change.ts';
import { compileMapping } from '../src/domain/mapping.ts';
import { changeOf } from './support/change.ts';
import { configOf } from './support/config.ts';

/** Defaults without rules: the repository's name, and the first seven characters of the sha. */
const byName: SourceDefaults = { service: ({ name = '' }) => name, version: '{sha7}' };

interface Options {
  readonly file?: readonly string[];
  readonly defaults?: SourceDefaults;
  readonly artifacts?: Readonly<Record<string, string>>;
}

/** Events as `service@environment=version`, or the kind of another result. */
function mapped(change: Change, { file = [], defaults = byName, artifacts = {} }: Options = {}) {
  const result = compileMapping(configOf(...file), defaults).map(change, new Map(Object.entries(artifacts)));
  if (result.kind !== 'events') return result.kind;
  return result.events.map(({ service, environment, version }) => `${service}@${environment}=${version}`).join(' ');
}

function byRule(rule: string, change: Change, options: Options = {}) {
  return mapped(change, { ...options, file: ['rules:', `  - ${rule}`] });
}

describe('mapping without a rule', () => {
  test('by default, the source defines service and version, and the tool defines the environment', () => {
    expect(mapped(changeOf())).toBe('web@production=9f1c2ab');
  });

  test('a transient environment drops the change', () => {
    expect(mapped(changeOf({ vars: { transient: 'true' } }))).toBe('dropped');
  });

  test.each([{ name: '' }, { name: '\0' }, { name: '\ud800' }, { environment: '' }, { environment: '\0' }])(
    'a change is unmapped if %j contains no storable characters',
    (vars) => {
      expect(mapped(changeOf({ vars }))).toBe('unmapped');
    },
  );

  test('characters that cannot be stored are removed from names', () => {
    const vars = { name: 'w\0eb\ud800', environment: 'pr\0od', sha7: 'a\0b' };
    expect(mapped(changeOf({ vars }))).toBe('web@prod=ab');
  });
});

describe('mapping rules', () => {
  test('the first matching rule decides', () => {
    const file = [
      'rules:',
      '  - { match: { repo: acme/api }, service: one }',
      '  - { match: { repo: acme/web }, service: two }',
      '  - { match: { repo: acme/* }, service: three }',
    ];
    expect(mapped(changeOf(), { file })).toBe('two@production=9f1c2ab');
  });

  test('a rule matches if all its variables match', () => {
    const rule = '{ match: { repo: acme/web, environment: prod* }, service: x }';
    expect(byRule(rule, changeOf())).toBe('x@production=9f1c2ab');
    expect(byRule(rule, changeOf({ vars: { environment: 'dev' } }))).toBe('web@dev=9f1c2ab');
    expect(byRule(rule, changeOf({ vars: { repo: 'acme/api', name: 'api' } }))).toBe('api@production=9f1c2ab');
  });

  test('a rule without match applies to every change', () => {
    expect(byRule('{ service: x }', changeOf())).toBe('x@production=9f1c2ab');
  });

  test('a missing variable counts as empty', () => {
    expect(byRule('{ match: { job: "?*" }, drop: true }', changeOf())).toBe('web@production=9f1c2ab');
    expect(byRule('{ match: { job: "*" }, drop: true }', changeOf())).toBe('dropped');
  });

  test('a rule with drop drops the change', () => {
    const rule = '{ match: { environment: ["review/**", "pr-*", "!pr-1"] }, drop: true }';
    const at = (environment: string) => byRule(rule, changeOf({ vars: { environment } }));
    expect([at('review/a/b'), at('PR-7'), at('pr-1')]).toEqual(['dropped', 'dropped', 'web@pr-1=9f1c2ab']);
  });

  test('a rule that matches a transient environment keeps its changes', () => {
    const change = changeOf({ vars: { transient: 'true', environment: 'pr-7' } });
    expect(byRule('{ match: { environment: pr-* } }', change)).toBe('web@pr-7=9f1c2ab');
    expect(byRule('{ match: { environment: review-* } }', change)).toBe('dropped');
  });

  test('members omitted from a rule have their defaults', () => {
    expect(byRule('{ match: { repo: "**" }, environment: live }', changeOf())).toBe('web@live=9f1c2ab');
    expect(byRule('{ match: { repo: "**" }, version: "{sha}" }', changeOf())).toBe('web@production=9f1c2ab4d6e8');
  });

  test('templates insert captures with their original letter case', () => {
    const rule =
      '{ match: { repo: "acme/{r}", environment: "{svc}-{env:dev|prod}" }, service: "{r}-{svc}", environment: "{env}" }';
    const change = changeOf({ vars: { repo: 'Acme/Mono', environment: 'Order-PROD' } });
    expect(byRule(rule, change)).toBe('Mono-Order@PROD=9f1c2ab');
  });

  test('a capture is empty if the matching pattern does not define it', () => {
    const rule = '{ match: { environment: ["pr-{n}", "{e}"] }, environment: "{n|e}" }';
    expect(byRule(rule, changeOf())).toBe('web@production=9f1c2ab');
  });

  test.each(['service', 'environment'])('a change with an empty %s is unmapped', (name) => {
    expect(byRule(`{ match: { repo: "**" }, ${name}: "{job}" }`, changeOf())).toBe('unmapped');
  });

  test('an empty version is omitted from the event', () => {
    expect(byRule('{ match: { repo: "**" }, version: "{job}" }', changeOf())).toBe('web@production=');
  });
});

describe('the payload in the mapping', () => {
  const version = (payload: Json | undefined, template: string) =>
    byRule(
      `{ match: { repo: "**" }, version: "${template}" }`,
      changeOf(payload === undefined ? {} : { payload }),
    ).replace('web@production=', '');

  test.each<[string, Json | undefined, string]>([
    ['{payload.version}', { version: '1.4.2' }, '1.4.2'],
    ['{payload.a.b}', { a: { b: 'deep' } }, 'deep'],
    ['{payload.a.1}', { a: ['x', 'y'] }, 'y'],
    ['{payload.version}', '{"version":"1.4.2"}', '1.4.2'],
    ['{payload.build}', { build: 42 }, '42'],
    ['{payload.zero}', { zero: 0 }, '0'],
    ['{payload.flag}', { flag: false }, 'false'],
    ['{payload.none|sha7}', { none: null }, '9f1c2ab'],
    ['{payload.list|sha7}', { list: ['a'] }, '9f1c2ab'],
    ['{payload.map|sha7}', { map: { a: 'b' } }, '9f1c2ab'],
    ['{payload.a.b|sha7}', { a: 'text' }, '9f1c2ab'],
    ['{payload.a|sha7}', undefined, '9f1c2ab'],
    ['{payload.a|sha7}', null, '9f1c2ab'],
    ['{payload.a|sha7}', 'no JSON', '9f1c2ab'],
    ['{payload.a|sha7}', '{"a":', '9f1c2ab'],
    ['{payload.0|sha7}', 'text', '9f1c2ab'],
    ['{payload.a.b|sha7}', { a: '{"b":"c"}' }, '9f1c2ab'],
    ['{payload.list.length|sha7}', { list: ['a'] }, '9f1c2ab'],
    ['{payload.__proto__|sha7}', {}, '9f1c2ab'],
    ['{payload.__proto__.version|sha7}', '{"__proto__":{"version":"own"}}', 'own'],
    ['{payload.constructor.name|sha7}', {}, '9f1c2ab'],
    ['{payload.toString.name|sha7}', {}, '9f1c2ab'],
    ['{payload.version|sha7}', Object.create({ version: 'inherited' }), '9f1c2ab'],
  ])('%s filled from %j is %s', (template, payload, expected) => {
    expect(version(payload, template)).toBe(expected);
  });

  test('only own properties count as variables', () => {
    const vars = Object.create({ job: 'inherited' });
    expect(byRule('{ match: { job: "?*" }, drop: true }', { ...changeOf(), vars })).toBe('unmapped');
  });
});

describe('several services of one deployment', () => {
  const ofPayload = '{ match: { repo: "**" }, service: "{payload.services}" }';
  const one = (service: string) => `${service}@production=9f1c2ab`;

  test('an array in the payload becomes one event per item, and each event is marked as one of several', () => {
    const change = changeOf({ payload: { services: ['api', 'web'] } });
    expect(byRule(ofPayload, change)).toBe(`${one('api')} ${one('web')}`);
    const { map } = compileMapping(configOf('rules:', `  - ${ofPayload}`), byName);
    expect(map(change, new Map())).toMatchObject({ events: [{ isOneOfSeveral: true }, { isOneOfSeveral: true }] });
    const single = changeOf({ payload: { services: ['api'] } });
    expect(map(single, new Map())).toMatchObject({ events: [{ isOneOfSeveral: true }] });
    const text = changeOf({ payload: { services: 'api' } });
    expect(map(text, new Map())).toMatchObject({ events: [{ service: 'api', isOneOfSeveral: false }] });
  });

  test('a list of templates becomes one event per template', () => {
    const rule = '{ match: { repo: "acme/{r}" }, service: ["{r}-api", "{r}-ui"] }';
    expect(byRule(rule, changeOf())).toBe(`${one('web-api')} ${one('web-ui')}`);
    expect(byRule('{ match: { repo: "**" }, service: ["api", "{job}"] }', changeOf())).toBe('unmapped');
    const { map } = compileMapping(configOf('rules:', `  - ${rule}`), byName);
    expect(map(changeOf(), new Map())).toMatchObject({ events: [{ isOneOfSeveral: true }, { isOneOfSeveral: true }] });
  });

  const names = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`);

  test.each<[string, Json, string]>([
    ['32', names(32), names(32).map(one).join(' ')],
    ['33', names(33), 'unmapped'],
    ['none', [], 'unmapped'],
    ['a number in the array', ['api', 7], 'unmapped'],
    ['an empty text in the array', ['api', ''], 'unmapped'],
    ['an unstorable text in the array', ['api', '\0'], 'unmapped'],
    ['a duplicate in the array', ['api', 'web', 'api', 'web\0'], `${one('api')} ${one('web')}`],
    ['an object in the array', { a: 'b' }, 'unmapped'],
  ])('are mapped from a payload with %s', (_, services, expected) => {
    expect(byRule(ofPayload, changeOf({ payload: { services } }))).toBe(expected);
  });

  test('are read from an array only if the template is a single variable', () => {
    const change = changeOf({ payload: { services: ['api'] } });
    expect(byRule('{ match: { repo: "**" }, service: "x{payload.services}" }', change)).toBe(one('x'));
    expect(byRule('{ match: { repo: "**" }, service: "{payload.services|name}" }', change)).toBe(one('web'));
  });
});

describe('environments in the mapping', () => {
  const file = ['environments: { production: prod, Prod: live, PRE-prod: "Pre" }'];

  test.each([
    ['production', 'prod'],
    ['Production', 'prod'],
    ['PROD', 'live'],
    ['pre-prod', 'Pre'],
    ['production-eu', 'production-eu'],
    ['constructor', 'constructor'],
  ])('%s is renamed to %s', (environment, expected) => {
    expect(mapped(changeOf({ vars: { environment } }), { file })).toBe(`web@${expected}=9f1c2ab`);
  });

  test('are renamed after the rule was applied', () => {
    const rules = ['rules:', '  - { match: { environment: "x-{e}" }, environment: "{e}" }'];
    const change = changeOf({ vars: { environment: 'x-production' } });
    expect(mapped(change, { file: [...file, ...rules] })).toBe('web@prod=9f1c2ab');
  });
});

describe('artifacts in the mapping', () => {
  const defaults = { ...byName, version: '{artifact:v|artifact:w|sha7}' };
  const asked = (change: Change, file: readonly string[] = []) =>
    compileMapping(configOf(...file), defaults).artifactsOf(change);

  test('are limited to those that the version needs', () => {
    expect(asked(changeOf())).toEqual(['v', 'w']);
    const rules = ['rules:', '  - { match: { repo: "**" }, version: "{payload.version|artifact:a b}" }'];
    expect(asked(changeOf(), rules)).toEqual(['a b']);
    expect(asked(changeOf({ payload: { version: '1' } }), rules)).toEqual([]);
  });

  test('are not requested if nothing is posted', () => {
    expect(asked(changeOf({ vars: { transient: 'true' } }))).toEqual([]);
    expect(asked(changeOf({ vars: { name: '' } }))).toEqual([]);
    expect(asked(changeOf(), ['rules:', '  - { match: { repo: "**" }, drop: true }'])).toEqual([]);
  });

  test('provide the text of the version, and are skipped if empty', () => {
    expect(mapped(changeOf(), { defaults, artifacts: { v: '1.4.2' } })).toBe('web@production=1.4.2');
    expect(mapped(changeOf(), { defaults, artifacts: { v: '', w: '2' } })).toBe('web@production=2');
    expect(mapped(changeOf(), { defaults })).toBe('web@production=9f1c2ab');
  });
});
