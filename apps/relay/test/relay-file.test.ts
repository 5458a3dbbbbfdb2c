import { writeFileSync } from 'node:fs';
import { fileFolder, settingsFaults } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { fileOf, mistakesIn } from './support/file.ts';

const inFolder = fileFolder();
const hook = '{ name: a, type: webhook, url: "https://acme.test/hook" }';

test('a file defines targets, rules and limits', () => {
  const { targets, allowed } = fileOf(
    [
      'allow_hosts: [hooks.internal, "10.1.2.3:8443"]',
      'defaults: { max_age: 2h, burst: 5 }',
      'targets:',
      `  - { name: ops, type: slack, url_env: URL, rules: [{ match: { services: ["pay-*"], statuses: [success] }, when: [failure, first] }] }`,
      '  - { name: b, type: webhook, url: "http://10.1.2.3:8443/", max_age: 90m, burst: 1000 }',
    ],
    { URL: 'https://hooks.slack.test/services/T/B/X' },
  );
  expect([...allowed]).toEqual(['hooks.internal', '10.1.2.3:8443']);
  expect(targets.map(({ target, maxAgeMs, burst }) => [target.name, target.type, maxAgeMs, burst])).toEqual([
    ['ops', 'slack', 7_200_000, 5],
    ['b', 'webhook', 5_400_000, 1000],
  ]);
  expect(targets[0]?.rules).toMatchObject([{ statuses: ['success'], when: ['failure', 'first'] }]);
  expect(targets[1]?.rules).toEqual([{ when: ['every'] }]);
});

test('the defaults are six hours, a burst of ten for people, and no limit for programs', () => {
  const people = '{ name: b, type: teams, url: "https://a.test/x" }';
  const ten = { maxAgeMs: 21_600_000, burst: 10 };
  const noLimit = { ...ten, burst: Number.POSITIVE_INFINITY };
  const machines = [
    '{ name: c, type: cdevents, url: "https://a.test/x" }',
    '{ name: g, type: grafana, base_url: "https://a.test", token_env: TOKEN }',
  ];
  const targets = `targets: [${[hook, people, ...machines].join(', ')}]`;
  expect(fileOf([targets]).targets).toMatchObject([noLimit, ten, noLimit, noLimit]);
  expect(fileOf(['defaults: { burst: 7 }', targets]).targets.map(({ burst }) => burst)).toEqual([7, 7, 7, 7]);
});

describe('reports an error in the relay file with file and line', () => {
  test.each<[string, readonly string[], string]>([
    ['no targets', [], 'relay.yaml:1: the file needs targets, the list of destinations for messages.'],
    ['an unknown key', [`targets: [${hook}]`, 'colour: red'], 'relay.yaml:3: colour is not known here'],
    ['no YAML', ['targets: ['], 'relay.yaml:'],
    ['an empty list', ['targets: []'], 'relay.yaml:2: targets is empty; name a target.'],
    ['no type', ['targets:', '  - name: a'], 'relay.yaml:3: targets[0] needs a type, one of slack, teams'],
    [
      'another type',
      ['targets:', '  - name: a', '    type: irc'],
      'relay.yaml:4: targets[0].type must be one of slack',
    ],
    ['no name', ['targets: [{ type: teams, url: "https://a.test" }]'], 'relay.yaml:2: targets[0] needs a name.'],
    [
      'an invalid name',
      ['targets: [{ name: A_b, type: teams, url: "https://a.test" }]'],
      'targets[0].name must be 1 to 58 characters long',
    ],
    [
      'a name that is too long',
      [`targets: [{ name: ${'a'.repeat(59)}, type: teams, url: "https://a.test" }]`],
      'must be 1 to 58 characters long',
    ],
    [
      'a duplicate name',
      ['targets:', `  - ${hook}`, `  - ${hook}`],
      'relay.yaml:4: targets[1].name is already the name of another target.',
    ],
    [
      'a member of another type',
      ['targets: [{ name: a, type: teams, url: "https://a.test", channel: c }]'],
      'channel is not known here',
    ],
    ['no address', ['targets: [{ name: a, type: teams }]'], 'relay.yaml:2: targets[0] needs url, url_env or url_file.'],
    [
      'two addresses',
      ['targets: [{ name: a, type: teams, url: "https://a.test", url_env: TOKEN }]'],
      'has url and url_env; remove one',
    ],
    ['http', ['targets: [{ name: a, type: teams, url: "http://a.test" }]'], 'url uses http for a.test'],
    [
      'an internal address',
      ['targets: [{ name: a, type: teams, url: "https://10.0.0.1" }]'],
      'an address inside the network',
    ],
    [
      'a variable that is not set',
      ['targets:', '  - { name: a, type: teams,', '      url_env: NONE }'],
      'relay.yaml:4: targets[0].url_env names NONE, which is not set.',
    ],
    [
      'a missing file',
      ['targets: [{ name: a, type: teams, url_file: /none }]'],
      "names a file that can't be read (ENOENT)",
    ],
    [
      'no token',
      ['targets: [{ name: a, type: slack, channel: c }]'],
      'needs url, url_env or url_file of an incoming webhook',
    ],
    [
      'a channel next to a webhook',
      ['targets: [{ name: a, type: slack, url: "https://a.test", channel: c }]'],
      'requires a token',
    ],
    [
      'an invalid secret',
      ['targets: [{ name: a, type: webhook, url: "https://a.test", secret_env: TOKEN }]'],
      'must be whsec_',
    ],
    [
      'a header that the relay sets itself',
      ['targets: [{ name: a, type: webhook, url: "https://a.test", headers: { Webhook-Id: x } }]'],
      'the relay sets itself',
    ],
    [
      'a header with a line break',
      ['targets: [{ name: a, type: webhook, url: "https://a.test", headers: { X: "a\\nb" } }]'],
      'must be printable ASCII',
    ],
    [
      'an unknown variable',
      ['targets: [{ name: a, type: webhook, url: "https://a.test", template: { t: "{nam}" } }]'],
      'names "nam" in "{nam}"',
    ],
    [
      'an open brace',
      ['targets: [{ name: a, type: webhook, url: "https://a.test", template: ["{service"] }]'],
      'has an unclosed "{"',
    ],
    [
      'an unencrypted email',
      ['targets: [{ name: a, type: smtp, host: mx.test, tls: none, from: a@b.test, to: [c@b.test] }]'],
      'sends everything unencrypted',
    ],
    [
      'an internal mail server',
      ['targets: [{ name: a, type: smtp, host: 0x0a.1, from: a@b.test, to: [c@b.test] }]'],
      'host uses 10.0.0.1',
    ],
    [
      'a recipient that is not a list',
      ['targets: [{ name: a, type: smtp, host: mx.test, from: a@b.test, to: ["c@b.test\\nBcc: d@e.test"] }]'],
      'to must be a list of addresses',
    ],
    [
      'a user without password',
      ['targets: [{ name: a, type: smtp, host: mx.test, user: u, from: a@b.test, to: [c@b.test] }]'],
      'add password_env',
    ],
    ['a burst of 0', [`targets: [${hook.replace('}', ', burst: 0 }')}]`], 'burst must be an integer from 1 to 1000'],
    ['a burst too large', [`targets: [${hook}]`, 'defaults: { burst: 1001 }'], 'relay.yaml:3: defaults.burst must be'],
    [
      'an age that is too high',
      [`targets: [${hook}]`, 'defaults: { max_age: 8d }'],
      'max_age must be a duration from 1s to 7d',
    ],
    ['an age that is too low', [`targets: [${hook}]`, 'defaults: { max_age: 0s }'], 'max_age must be a duration'],
    [
      'an unknown when',
      [`targets: [${hook.replace('}', ', rules: [{ when: often }] }')}]`],
      'when must be one of every, failure, recovery',
    ],
    [
      'an unknown status',
      [`targets: [${hook.replace('}', ', rules: [{ match: { statuses: [done] } }] }')}]`],
      'statuses[0] must be one of pending',
    ],
    ['an empty list of rules', [`targets: [${hook.replace('}', ', rules: [] }')}]`], 'rules is empty'],
    [
      'an invalid pattern',
      [`targets: [${hook.replace('}', ', rules: [{ match: { services: ["!a"] } }] }')}]`],
      'services has only patterns with "!"',
    ],
    ['an invalid host', [`targets: [${hook}]`, 'allow_hosts: ["a/b"]'], 'allow_hosts[0] must be a host'],
  ])('%s', (_, lines, sentence) => {
    expect(mistakesIn(lines)).toContain(sentence);
  });

  test('no error message repeats a secret', () => {
    const url = 'http://acme.test/secret-of-the-hook';
    const lines = [
      'targets:',
      '  - { name: a, type: teams, url_env: URL }',
      '  - { name: b, type: grafana, base_url: "https://g.test", token_env: BAD }',
    ];
    const sentences = mistakesIn(lines, { URL: url, BAD: 'secret-of-grafana\nx' });
    expect(sentences.split('\n')).toHaveLength(2);
    expect(sentences).not.toContain('secret-of');
  });
});

test('a secret may come from a file, without the final line break', () => {
  writeFileSync(inFolder('url'), 'https://acme.test/hook\n');
  expect(mistakesIn([`targets: [{ name: a, type: teams, url_file: ${inFolder('url')} }]`])).toBe('none');
  writeFileSync(inFolder('empty'), '\n');
  expect(mistakesIn([`targets: [{ name: a, type: teams, url_file: ${inFolder('empty')} }]`])).toContain('is empty');
});

test('the relay has the settings of the fetcher with another port and id', () => {
  writeFileSync(inFolder('relay.yaml'), `version: 1\ntargets: [${hook}]\n`);
  expect(readConfig({ RELAY_CONFIG: inFolder('relay.yaml') })).toMatchObject({
    ...{ baseUrl: 'http://127.0.0.1:3000', apiKey: 'dev-api-key', controlApiKey: 'dev-control-key' },
    ...{ componentId: 'relay', host: '127.0.0.1', port: 8081, resetGateMaxTtlMs: 90_000 },
    publicUrl: undefined,
  });
  const PUBLIC_URL = 'https://ship.acme/x/';
  expect(readConfig({ RELAY_CONFIG: inFolder('relay.yaml'), PUBLIC_URL }).publicUrl).toBe('https://ship.acme/x');
});

test('the relay does not start without a file, or with development keys for another machine', () => {
  expect(settingsFaults(() => readConfig({}))).toEqual([expect.stringContaining('RELAY_CONFIG is not set')]);
  const elsewhere = { DASHBOARD_API_BASE_URL: 'https://shiplog.test', RELAY_CONFIG: '/none' };
  expect(settingsFaults(() => readConfig(elsewhere))).toHaveLength(2);
});

test('the example file of the specification is valid', () => {
  const lines = [
    'allow_hosts: [hooks.internal, "10.1.2.3:8443"]',
    'defaults: { max_age: 6h, burst: 10 }',
    'targets:',
    '  - name: ops',
    '    type: slack',
    '    url_env: SLACK_URL',
    '    rules:',
    '      - { match: { services: ["pay-*"], environments: [prod], teams: [core], statuses: [success, failure] }, when: [failure, recovery] }',
    '  - { name: bot, type: slack, token_env: TOKEN, channel: C012, base_url: https://slack.com/api }',
    '  - { name: tm, type: teams, url_env: TEAMS }',
    '  - { name: dc, type: discord, url_env: DISCORD }',
    '  - { name: mail, type: smtp, host: mx.acme, port: 587, tls: starttls, user: u, password_env: PASSWORD, from: a@x, to: [b@x] }',
    '  - { name: gf, type: grafana, base_url: https://g.acme, token_env: TOKEN, tags: [deploy] }',
    '  - { name: cde, type: cdevents, url: https://b.acme/ce, token_env: TOKEN }',
    '  - name: hook',
    '    type: webhook',
    '    url_env: HOOK',
    '    secret_env: SIGNING',
    '    headers: { X-Team: core }',
    `    template: { text: "{service} {version|sha7|'?'} {status}", n: 1 }`,
  ];
  const url = 'https://hooks.acme/x';
  const { targets } = fileOf(lines, { SLACK_URL: url, TEAMS: url, DISCORD: url, HOOK: url });
  expect(targets.map(({ target }) => target.name)).toEqual(['ops', 'bot', 'tm', 'dc', 'mail', 'gf', 'cde', 'hook']);
});
