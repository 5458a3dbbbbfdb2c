import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsFaults } from '@shiplog/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

type Environment = Readonly<Record<string, string>>;

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shiplog-driver-config-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function keyFile(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function faultsOf(environment: Environment): string[] {
  return settingsFaults(() => readConfig(environment));
}

test('an empty environment results in the documented defaults', () => {
  expect(readConfig({})).toEqual({
    port: 3001,
    host: '127.0.0.1',
    neighbours: {
      writeApiUrl: 'http://127.0.0.1:3002',
      emulatorUrl: 'http://127.0.0.1:3100',
      fetcherUrl: 'http://127.0.0.1:8080',
    },
    keys: { api: 'dev-api-key', control: 'dev-control-key' },
    componentId: 'demo-driver',
    resetGateMaxTtlMs: 90_000,
    scenariosDir: '../../demo/data',
    emitDelayMs: 0,
    emitIntervalMs: 8000,
    problemBase: '/problems',
    logLevel: 'info',
  });
});

describe('a valid setting is accepted', () => {
  test.each<[Environment, object]>([
    [{ PORT: '0' }, { port: 0 }],
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [
      { WRITE_API_URL: 'https://log.example.com/behind/' },
      { neighbours: expect.objectContaining({ writeApiUrl: 'https://log.example.com/behind' }) },
    ],
    [{ CI_EMULATOR_URL: 'http://[::1]:1' }, { neighbours: expect.objectContaining({ emulatorUrl: 'http://[::1]:1' }) }],
    [{ FETCHER_URL: 'HTTP://fetcher' }, { neighbours: expect.objectContaining({ fetcherUrl: 'HTTP://fetcher' }) }],
    [{ API_KEY: 'a' }, { keys: { api: 'a', control: 'dev-control-key' } }],
    [{ CONTROL_API_KEY: 'two words' }, { keys: { api: 'dev-api-key', control: 'two words' } }],
    [{ COMPONENT_ID: 'driver.of-2' }, { componentId: 'driver.of-2' }],
    [{ RESET_GATE_MAX_TTL_MS: '1' }, { resetGateMaxTtlMs: 1 }],
    [{ SCENARIOS_DIR: '/else/where' }, { scenariosDir: '/else/where' }],
    [{ EMIT_DELAY_MS: '2147483647' }, { emitDelayMs: 2_147_483_647 }],
    [{ EMIT_INTERVAL_MS: '1' }, { emitIntervalMs: 1 }],
    [{ PROBLEM_BASE: 'https://example.com/p' }, { problemBase: 'https://example.com/p' }],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
  ])('%o', (environment, expected) => {
    expect(readConfig(environment)).toMatchObject(expected);
  });
});

describe('an invalid setting is refused with a sentence that names it', () => {
  test.each<[Environment, RegExp]>([
    [{ PORT: '65536' }, /^PORT is "65536"; it must be an integer from 0 to 65535\.$/],
    [{ WRITE_API_URL: '127.0.0.1:3002' }, /^WRITE_API_URL is .*; it must be a URL/],
    [{ WRITE_API_URL: 'ftp://a' }, /^WRITE_API_URL/],
    [{ WRITE_API_URL: 'http://user:word@a' }, /^WRITE_API_URL/],
    [{ WRITE_API_URL: 'http://a?b' }, /^WRITE_API_URL/],
    [{ WRITE_API_URL: 'http://a#b' }, /^WRITE_API_URL/],
    [{ WRITE_API_URL: 'http://a:99999' }, /^WRITE_API_URL/],
    [{ CI_EMULATOR_URL: 'http:// a' }, /^CI_EMULATOR_URL/],
    [{ FETCHER_URL: 'fetcher' }, /^FETCHER_URL/],
    [{ API_KEY: ' a' }, /^API_KEY is not acceptable/],
    [{ API_KEY: 'a\nb' }, /^API_KEY is not acceptable/],
    [{ CONTROL_API_KEY: 'schlüssel' }, /^CONTROL_API_KEY is not acceptable/],
    [{ COMPONENT_ID: 'Driver' }, /^COMPONENT_ID is "Driver"; it must be at most 128 lower-case letters/],
    [{ RESET_GATE_MAX_TTL_MS: '0' }, /^RESET_GATE_MAX_TTL_MS is "0"; it must be an integer from 1/],
    [{ RESET_GATE_MAX_TTL_MS: '90s' }, /^RESET_GATE_MAX_TTL_MS/],
    [{ EMIT_DELAY_MS: '-1' }, /^EMIT_DELAY_MS/],
    [{ EMIT_INTERVAL_MS: '0' }, /^EMIT_INTERVAL_MS/],
    [{ PROBLEM_BASE: 'problems' }, /^PROBLEM_BASE/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL/],
  ])('%o', (environment, sentence) => {
    expect(faultsOf(environment)).toEqual([expect.stringMatching(sentence)]);
  });

  test('all errors are reported together', () => {
    expect(faultsOf({ PORT: 'x', WRITE_API_URL: 'x', EMIT_INTERVAL_MS: 'x' })).toHaveLength(3);
  });
});

test('a key can be read from a file, without its trailing line break; setting it twice is an error', () => {
  const file = keyFile('key', 'from-a-file\n');
  expect(readConfig({ API_KEY_FILE: file, CONTROL_API_KEY_FILE: file }).keys).toEqual({
    api: 'from-a-file',
    control: 'from-a-file',
  });
  expect(faultsOf({ API_KEY: 'a', API_KEY_FILE: file })).toEqual([expect.stringMatching(/both set/)]);
  expect(faultsOf({ CONTROL_API_KEY_FILE: keyFile('empty', '\n') })).toEqual([
    expect.stringMatching(/^CONTROL_API_KEY is not acceptable/),
  ]);
});

test('access §9.10: a key of its own is sent in place of both keys', () => {
  const keys = { API_KEY: 'shared', CONTROL_API_KEY: 'of-operators' };
  expect(readConfig({ ...keys, COMPONENT_KEY: 'own' }).keys).toEqual({ api: 'own', control: 'own' });
  expect(readConfig({ ...keys, COMPONENT_KEY: '' }).keys).toEqual({ api: 'shared', control: 'of-operators' });
});
