import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLoopback } from '@shiplog/server';
import { openAccess, settingsFaults } from '@shiplog/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig, settings } from '../src/config.ts';

type Environment = Readonly<Record<string, string>>;

const keys = { API_KEY: 'a-secret-of-pipelines', CONTROL_API_KEY: 'a-secret-of-operators' };
const both = { ...keys, DATABASE_URL: 'postgres://db-1/shiplog' };
const secrets = /a-secret-of-|another-secret/;
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shiplog-config-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function keyFile(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function faultsOf(environment: Environment): string[] {
  return settingsFaults(() => readConfig(environment));
}

describe('an empty environment', () => {
  test('selects the embedded database, the loopback address and the documented keys', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      readDatabaseUrl: undefined,
      dataDir: './data',
      dashboardDir: '../dashboard/dist',
      catalogFile: undefined,
      ...openAccess,
      keys: { api: ['dev-api-key'], control: ['dev-control-key'] },
      historyRetentionDays: 365,
      maxFutureHours: undefined,
      pruneConfirm: undefined,
      slotsMax: 100_000,
      reset: { ackTimeoutSeconds: 10, gateMaxTtlSeconds: 60, expectedComponents: ['dashboard-fetcher', 'demo-driver'] },
      analytics: { granularity: 'day', promotionOrder: settings.analyticsFunnelEnvironments.fallback },
      problemBase: '/problems',
      readsPerClient: 8,
      trustedProxies: [],
      logLevel: 'info',
    });
  });
});

describe('a valid setting is accepted', () => {
  const accepted: [Environment, object][] = [
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '65535' }, { port: 65_535 }],
    [{ HOST: '::1' }, { host: '::1' }],
    [{ HOST: 'localhost' }, { host: '127.0.0.1' }],
    [{ HOST: '127.8.9.10' }, { host: '127.8.9.10' }],
    [{ HOST: '0.0.0.0', ...keys }, { host: '0.0.0.0' }],
    [{ HISTORY_RETENTION_DAYS: '90' }, { historyRetentionDays: 90 }],
    [{ MAX_FUTURE_HOURS: '24' }, { maxFutureHours: 24 }],
    [{ PRUNE_CONFIRM: '12345' }, { pruneConfirm: 12_345 }],
    [{ SLOTS_MAX: '7' }, { slotsMax: 7 }],
    [{ CATALOG_FILE: '/etc/shiplog/catalog.yaml' }, { catalogFile: '/etc/shiplog/catalog.yaml' }],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
    [{ ANALYTICS_WINDOW_GRANULARITY: 'hour' }, { analytics: expect.objectContaining({ granularity: 'hour' }) }],
    [
      { ANALYTICS_FUNNEL_ENVIRONMENTS: ' Dev,,PROD ' },
      { analytics: expect.objectContaining({ promotionOrder: [{ name: 'Dev' }, { name: 'PROD' }] }) },
    ],
    [{ RESET_ACK_TIMEOUT_SECONDS: '0' }, { reset: expect.objectContaining({ ackTimeoutSeconds: 0 }) }],
    [{ RESET_GATE_MAX_TTL_SECONDS: '1' }, { reset: expect.objectContaining({ gateMaxTtlSeconds: 1 }) }],
    [{ RESET_EXPECTED_COMPONENTS: '' }, { reset: expect.objectContaining({ expectedComponents: [] }) }],
    [
      { RESET_EXPECTED_COMPONENTS: ' a, b.c ,a' },
      { reset: expect.objectContaining({ expectedComponents: ['a', 'b.c'] }) },
    ],
    [{ READS_PER_CLIENT: '0' }, { readsPerClient: 0 }],
    [{ TRUSTED_PROXIES: '' }, { trustedProxies: [] }],
    [
      { TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,2001:db8::/32,::1' },
      { trustedProxies: ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32', '::1'] },
    ],
    [{ PROBLEM_BASE: '/errors/of/shiplog' }, { problemBase: '/errors/of/shiplog' }],
    [{ PROBLEM_BASE: 'https://example.com/problems' }, { problemBase: 'https://example.com/problems' }],
    ...['', '?target_session_attrs=any', '?target_session_attrs=prefer-standby'].map(
      (wanted): [Environment, object] => [
        { ...both, READ_DATABASE_URL: `postgres://db-1,db-2/shiplog${wanted}` },
        { readDatabaseUrl: `postgres://db-1,db-2/shiplog${wanted}` },
      ],
    ),
    [{ DATABASE_URL: 'postgresql://db/shiplog', ...keys }, { databaseUrl: 'postgresql://db/shiplog' }],
    ...[
      'postgres://shiplog:a,b@db/shiplog?target_session_attrs=read-write',
      'postgres://db/a,b?target_session_attrs=primary',
      'postgres://shiplog@localhost/shiplog?host=/run/postgresql&options=a,b',
      'postgres://shiplog:another-secret@db-1:5432,db-2:5433/shiplog',
      'postgresql://db-1,db-2/shiplog?target_session_attrs=read-write',
      'postgres://shiplog@localhost/shiplog?host=/run/a,/run/b',
      'postgres:///shiplog?sslmode=require&host=db-1%2Cdb-2&port=5432,5433',
    ].map((url): [Environment, object] => [{ DATABASE_URL: url, ...keys }, { databaseUrl: url }]),
    [
      { ...keys, API_KEY_NEXT: 'n', CONTROL_API_KEY_NEXT: 'm' },
      { keys: { api: [keys.API_KEY, 'n'], control: [keys.CONTROL_API_KEY, 'm'] } },
    ],
  ];
  test.each(accepted)('%j', (environment, expected) => {
    expect(readConfig(environment)).toMatchObject(expected);
  });
});

describe('an invalid setting is rejected in one sentence that names it', () => {
  const refused: [Environment, RegExp][] = [
    [{ PORT: 'http' }, /^PORT is "http"; it must be an integer from 0 to 65535\.$/],
    [{ PORT: '65536' }, /^PORT is "65536"/],
    [{ PORT: '-1' }, /^PORT is "-1"/],
    [{ PORT: '3000.0' }, /^PORT is "3000\.0"/],
    [{ PORT: '0x50' }, /^PORT is "0x50"/],
    [{ PORT: ' 80' }, /^PORT is " 80"/],
    [{ PORT: '٣' }, /^PORT is "٣"/],
    [{ HISTORY_RETENTION_DAYS: '10' }, /^HISTORY_RETENTION_DAYS is "10"; it must be an integer from 90 to/],
    [
      { ANALYTICS_WINDOW_GRANULARITY: 'week' },
      /^ANALYTICS_WINDOW_GRANULARITY is "week"; it must be one of day, hour\.$/,
    ],
    [
      { ANALYTICS_FUNNEL_ENVIRONMENTS: 'dev,Dev' },
      /^ANALYTICS_FUNNEL_ENVIRONMENTS is "dev,Dev"; it must be comma-separated environments/,
    ],
    [
      { ANALYTICS_FUNNEL_ENVIRONMENTS: 'dev,prod=' },
      /^ANALYTICS_FUNNEL_ENVIRONMENTS is "dev,prod="; the stage "prod" has no glob after "="; write .*\.$/,
    ],
    [{ RESET_ACK_TIMEOUT_SECONDS: '-1' }, /^RESET_ACK_TIMEOUT_SECONDS is "-1"; it must be an integer from 0/],
    [{ RESET_GATE_MAX_TTL_SECONDS: '0' }, /^RESET_GATE_MAX_TTL_SECONDS is "0"; it must be an integer from 1/],
    [
      { RESET_EXPECTED_COMPONENTS: 'a,B' },
      /^RESET_EXPECTED_COMPONENTS is "a,B"; it must be comma-separated component ids/,
    ],
    [{ HISTORY_RETENTION_DAYS: '89' }, /^HISTORY_RETENTION_DAYS is "89"/],
    [{ HISTORY_RETENTION_DAYS: '90.5' }, /^HISTORY_RETENTION_DAYS is "90\.5"/],
    [{ HISTORY_RETENTION_DAYS: '1e3' }, /^HISTORY_RETENTION_DAYS is "1e3"/],
    [{ HISTORY_RETENTION_DAYS: '9'.repeat(400) }, /^HISTORY_RETENTION_DAYS is "9+"/],
    [
      { LOG_LEVEL: 'verbose' },
      /^LOG_LEVEL is "verbose"; it must be one of trace, debug, info, warn, error, fatal, silent\.$/,
    ],
    [{ LOG_LEVEL: 'INFO' }, /^LOG_LEVEL is "INFO"/],
    [{ READS_PER_CLIENT: '-1' }, /^READS_PER_CLIENT is "-1"; it must be an integer from 0 to 10000\.$/],
    ...['proxy.example.com', '10.0.0.0/33', '10.0.0.0/8/8', '::/129', '127.0.0.1,'].map(
      (text): [Environment, RegExp] => [
        { TRUSTED_PROXIES: text },
        /^TRUSTED_PROXIES is ".*"; it must be comma-separated addresses and networks,/,
      ],
    ),
    [{ PROBLEM_BASE: 'problems' }, /^PROBLEM_BASE is "problems"; it must be a path such as/],
    [{ PROBLEM_BASE: '/problems/' }, /^PROBLEM_BASE is /],
    [{ PROBLEM_BASE: '/api/problems' }, /^PROBLEM_BASE is /],
    [{ PROBLEM_BASE: 'ftp://example.com/problems' }, /^PROBLEM_BASE is /],
    [{ DATABASE_URL: '', ...keys }, /^DATABASE_URL is not acceptable; it must be a URL such as/],
    [{ DATABASE_URL: 'mysql://another-secret@db/x', ...keys }, /^DATABASE_URL is not acceptable/],
    [{ DATABASE_URL: 'db:5432', ...keys }, /^DATABASE_URL is not acceptable/],
    ...['postgres://shiplog@localhost/shiplog?host=/run/a,', 'postgres:///shiplog?host=db-1,db-2,db-3&port=1,2'].map(
      (url): [Environment, RegExp] => [
        { DATABASE_URL: url, ...keys },
        /^DATABASE_URL names several hosts, but one is empty or the number of ports doesn't match\. Name each/,
      ],
    ),
    ...['any', 'standby', 'prefer-standby', 'read-only', 'nonsense', ''].map((wanted): [Environment, RegExp] => [
      { DATABASE_URL: `postgres://db/shiplog?target_session_attrs=${wanted}`, ...keys },
      /^target_session_attrs in DATABASE_URL selects a server other than the primary\. Shiplog needs the primary: remove/,
    ]),
    [
      { ...both, READ_DATABASE_URL: 'mysql://another-secret@db/x' },
      /^READ_DATABASE_URL is not acceptable; it must be a URL/,
    ],
    [
      { READ_DATABASE_URL: 'postgres://db-2/shiplog' },
      /^READ_DATABASE_URL is set without DATABASE_URL, but the embedded database has no standbys\. Set DATABASE_URL, or/,
    ],
    [
      { ...both, READ_DATABASE_URL: 'postgres://shiplog@localhost/shiplog?host=/run/a,' },
      /^READ_DATABASE_URL names several hosts, but one is empty/,
    ],
    ...['primary', 'read-write', 'nonsense'].map((wanted): [Environment, RegExp] => [
      { ...both, READ_DATABASE_URL: `postgres://db-2/shiplog?target_session_attrs=${wanted}` },
      /^target_session_attrs in READ_DATABASE_URL selects the primary or has an unknown value\. READ_DATABASE_URL is for/,
    ]),
    [
      { HOST: '0.0.0.0' },
      /^HOST is "0\.0\.0\.0", which other machines can reach\. Set API_KEY and CONTROL_API_KEY, or/,
    ],
    [{ HOST: '::' }, /^HOST is "::", which other machines can reach/],
    [{ HOST: '192.168.1.7' }, /^HOST is "192\.168\.1\.7", which other machines can reach/],
    [{ HOST: 'shiplog.localhost.example.com' }, /^HOST is .*, which other machines can reach/],
    [{ DATABASE_URL: 'postgres://db/x' }, /^DATABASE_URL is set, .*\. Set API_KEY and CONTROL_API_KEY\.$/],
    [{ API_KEY: '', CONTROL_API_KEY: 'x' }, /^API_KEY is not acceptable; it must be a non-empty value\.$/],
    [{ API_KEY: 'x', CONTROL_API_KEY: '' }, /^CONTROL_API_KEY is not acceptable/],
    [{ ...keys, API_KEY_NEXT: '' }, /^API_KEY_NEXT is not acceptable/],
    [{ ...keys, CONTROL_API_KEY_NEXT: '' }, /^CONTROL_API_KEY_NEXT is not acceptable/],
    [{ API_KEY: keys.API_KEY }, /^CONTROL_API_KEY is not set but another key is\. Set both/],
    [{ CONTROL_API_KEY: keys.API_KEY }, /^API_KEY is not set but another key is\. Set both/],
    [{ API_KEY_NEXT: keys.API_KEY }, /^API_KEY is not set but another key is/],
    [{ CONTROL_API_KEY_NEXT: keys.API_KEY }, /^API_KEY is not set but another key is/],
    [
      { API_KEY: keys.API_KEY, CONTROL_API_KEY: keys.API_KEY },
      /^An API key and a control key have the same value\. Give CONTROL/,
    ],
    [{ ...keys, API_KEY_NEXT: keys.CONTROL_API_KEY }, /^An API key and a control key have the same value/],
    [{ ...keys, CONTROL_API_KEY_NEXT: keys.API_KEY }, /^An API key and a control key have the same value/],
    [{ ...keys, API_KEY_NEXT: 'another-secret', CONTROL_API_KEY_NEXT: 'another-secret' }, /^An API key and a control/],
    [{ ...keys, API_KEY_FILE: '/nowhere/key' }, /^API_KEY and API_KEY_FILE are both set; set one of them\.$/],
    [
      { API_KEY_FILE: '/nowhere/key', CONTROL_API_KEY: 'x' },
      /^API_KEY_FILE is "\/nowhere\/key", which cannot be read \(ENOENT\); it must be the path of a file\.$/,
    ],
    [{ API_KEY: 'x', CONTROL_API_KEY_FILE: '/' }, /^CONTROL_API_KEY_FILE is "\/", which cannot be read \(EISDIR\)/],
    [{ ...keys, DATABASE_URL_FILE: '/nowhere/url' }, /^DATABASE_URL_FILE is "\/nowhere\/url", which cannot be read/],
  ];
  test.each(refused)('%j', (environment, sentence) => {
    const faults = faultsOf(environment);
    expect(faults).toEqual([expect.stringMatching(sentence)]);
    expect(faults[0]).not.toMatch(secrets);
  });
});

test('all errors are reported together', () => {
  const faults = faultsOf({
    PORT: 'x',
    LOG_LEVEL: 'y',
    HISTORY_RETENTION_DAYS: '1',
    API_KEY: '',
    CONTROL_API_KEY: 'z',
  });
  expect(faults.map((sentence) => sentence.split(' ')[0]).sort()).toEqual([
    'API_KEY',
    'HISTORY_RETENTION_DAYS',
    'LOG_LEVEL',
    'PORT',
  ]);
});

test('an error in the keys is reported together with an error in another setting', () => {
  const faults = faultsOf({ PORT: 'x', API_KEY: 'z' });
  expect(faults).toEqual([expect.stringMatching(/^PORT is/), expect.stringMatching(/^CONTROL_API_KEY is not set/)]);
});

describe('a key from a file', () => {
  const contents: [string, string | Uint8Array, string][] = [
    ['is the content of the file', 'k', 'k'],
    ['has one line break removed from its end', 'k\n', 'k'],
    ['has one Windows line break removed from its end', 'k\r\n', 'k'],
    ['is otherwise unchanged', 'a b\tc\n', 'a b\tc'],
  ];
  test.each(contents)('%s', (_, content, key) => {
    const config = readConfig({ API_KEY_FILE: keyFile('key', content), CONTROL_API_KEY: 'c' });
    expect(config.keys.api).toEqual([key]);
  });

  test('must not be empty', () => {
    for (const content of ['', '\n']) {
      const faults = faultsOf({ API_KEY_FILE: keyFile('empty', content), CONTROL_API_KEY: 'c' });
      expect(faults).toEqual([expect.stringMatching(/^API_KEY is not acceptable/)]);
    }
  });

  test('each of the four keys and the database URL can be read from a file', () => {
    const config = readConfig({
      API_KEY_FILE: keyFile('1', 'one'),
      API_KEY_NEXT_FILE: keyFile('2', 'two'),
      CONTROL_API_KEY_FILE: keyFile('3', 'three'),
      CONTROL_API_KEY_NEXT_FILE: keyFile('4', 'four'),
      DATABASE_URL_FILE: keyFile('5', 'postgres://db/x\n'),
    });
    expect(config.keys).toEqual({ api: ['one', 'two'], control: ['three', 'four'] });
    expect(config.databaseUrl).toBe('postgres://db/x');
  });
});

describe('loopback addresses', () => {
  const others = [
    '',
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '128.0.0.1',
    '127.0.0.1.example.com',
    '127.0.0.1\n',
    'localhost.',
    'x',
  ];
  test.each(['127.0.0.1', '127.255.255.254', '::1'])('%j', (host) => expect(isLoopback(host)).toBe(true));
  test.each(others)('%j is not a loopback address', (host) => expect(isLoopback(host)).toBe(false));
});
