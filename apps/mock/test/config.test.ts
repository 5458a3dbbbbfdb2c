import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsFaults } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../src/config.ts';

type Environment = Readonly<Record<string, string>>;

function keyFile(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'shiplog-mock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'key'), content);
  return join(folder, 'key');
}

function faultsOf(environment: Environment): string[] {
  return settingsFaults(() => readConfig(environment));
}

test('by default the mock listens on loopback port 3002 and accepts the documented key', () => {
  expect(readConfig({})).toEqual({
    port: 3002,
    host: '127.0.0.1',
    apiKeys: ['dev-api-key'],
    problemBase: '/problems',
    logLevel: 'info',
  });
});

test.each<[Environment, object]>([
  [{ PORT: '0' }, { port: 0 }],
  [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
  [{ API_KEY: 'one' }, { apiKeys: ['one'] }],
  [{ API_KEY: 'one', API_KEY_NEXT: 'two' }, { apiKeys: ['one', 'two'] }],
  [{ PROBLEM_BASE: 'https://x.example/p' }, { problemBase: 'https://x.example/p' }],
  [{ LOG_LEVEL: 'debug' }, { logLevel: 'debug' }],
  [{ CONTROL_API_KEY: 'of others' }, { apiKeys: ['dev-api-key'] }],
])('the settings %j are accepted', (environment, expected) => {
  expect(readConfig(environment)).toMatchObject(expected);
});

test('reading 2.1: both keys can be read from files, without one trailing line break', () => {
  const environment = { API_KEY_FILE: keyFile('one\n'), API_KEY_NEXT_FILE: keyFile('two\r\n') };
  expect(readConfig(environment).apiKeys).toEqual(['one', 'two']);
});

test.each<[Environment, RegExp]>([
  [{ PORT: 'http' }, /^PORT is "http"; it must be an integer from 0 to 65535\.$/],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL is "loud"; it must be one of trace/],
  [{ PROBLEM_BASE: '/api/problems' }, /^PROBLEM_BASE is "\/api\/problems"; it must be a path/],
  [{ API_KEY: '' }, /^API_KEY is not acceptable; it must be a non-empty value\.$/],
  [{ API_KEY: 'one', API_KEY_NEXT: '' }, /^API_KEY_NEXT is not acceptable/],
  [{ API_KEY_NEXT: 'secret-two' }, /^API_KEY_NEXT is set without API_KEY\. Set API_KEY/],
  [{ API_KEY: 'secret-one', API_KEY_FILE: '/nowhere' }, /^API_KEY and API_KEY_FILE are both set; set one of them\.$/],
  [{ API_KEY_FILE: '/nowhere/key' }, /^API_KEY_FILE is "\/nowhere\/key", which cannot be read \(ENOENT\)/],
])('the settings %j are refused with one sentence', (environment, sentence) => {
  const faults = faultsOf(environment);
  expect(faults).toEqual([expect.stringMatching(sentence)]);
  expect(faults.join()).not.toMatch(/secret-/);
});
