import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  choiceSetting,
  integerSetting,
  readSettings,
  SettingsError,
  secretSetting,
  textSetting,
} from '../src/settings.ts';

const settings = {
  port: integerSetting('PORT', { min: 0, max: 65535, fallback: 3000 }),
  level: choiceSetting('LEVEL', ['low', 'high'], 'low'),
  folder: textSetting('FOLDER', 'the path of a folder', './data'),
  key: secretSetting('KEY'),
};

function secretFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'shiplog-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'key'), text);
  return join(folder, 'key');
}

test('an unset variable has its default', () => {
  expect(readSettings(settings, {})).toEqual({ port: 3000, level: 'low', folder: './data', key: undefined });
});

test('a set variable is parsed according to its type', () => {
  expect(readSettings(settings, { PORT: '0', LEVEL: 'high', FOLDER: '/x', KEY: 'k' })).toEqual({
    port: 0,
    level: 'high',
    folder: '/x',
    key: 'k',
  });
});

test('every error message has the variable, its value and the accepted values, but no secret', () => {
  const read = () => readSettings(settings, { PORT: '70000', LEVEL: 'mid', KEY_FILE: secretFile('') });
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(
    [
      'PORT is "70000"; it must be an integer from 0 to 65535.',
      'LEVEL is "mid"; it must be one of low, high.',
      'KEY is not acceptable; it must be a non-empty value.',
    ].join('\n'),
  );
});

test('an empty variable counts as unset, unless its setting accepts an empty value', () => {
  const empty = { PORT: '', LEVEL: '', FOLDER: '', KEY: '', KEY_FILE: '' };
  expect(readSettings(settings, empty)).toEqual(readSettings(settings, {}));
  expect(readSettings(settings, { KEY: '', KEY_FILE: secretFile('k') }).key).toBe('k');
  const ids = { ...textSetting('IDS', 'ids', 'a'), takesEmpty: true, parse: (text: string) => text };
  expect(readSettings({ ids }, { IDS: '' })).toEqual({ ids: '' });
});

test.each([' 1', '1.5', '1e3', '-1', '0x10', '99999999999999999999'])('%j is not an integer', (text) => {
  expect(() => readSettings(settings, { PORT: text })).toThrow(SettingsError);
});

test.each([
  ['k\n', 'k'],
  ['k\r\n', 'k'],
  ['k\n\n', 'k\n'],
  ['k ', 'k '],
])('the secret in a file with the text %j is %j', (text, secret) => {
  expect(readSettings(settings, { KEY_FILE: secretFile(text) }).key).toBe(secret);
});

test('a secret file that cannot be read, is empty, or is set together with the variable is an error', () => {
  expect(() => readSettings(settings, { KEY_FILE: '/nowhere/key' })).toThrow(/KEY_FILE .* cannot be read \(ENOENT\)/);
  expect(() => readSettings(settings, { KEY_FILE: secretFile('\n') })).toThrow(/KEY is not acceptable/);
  expect(() => readSettings(settings, { KEY: 'k', KEY_FILE: secretFile('k') })).toThrow(
    /KEY and KEY_FILE are both set/,
  );
});
