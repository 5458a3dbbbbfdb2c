import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { releaseNotes, versionFaults } from '../versions.js';

const root = join(import.meta.dirname, '../..');

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

test('every file that names the version names the same', () => {
  expect(versionFaults()).toEqual([]);
});

test('a file that names another version, or none, is told', () => {
  const changed = (path: string) =>
    path === 'deploy/compose.yaml' ? read(path).replaceAll('shiplog:0', 'shiplog:9') : read(path);
  const [fault] = versionFaults(changed);
  expect(fault).toMatch(/^deploy\/compose\.yaml names 9\.\d+\.\d+ instead of /);
  const emptied = (path: string) => (path === 'docs/integrations.md' ? '' : read(path));
  expect(versionFaults(emptied)).toEqual([expect.stringMatching(/^docs\/integrations\.md names no version/)]);
});

test('the notes of a release are its section of the changelog, else what is unreleased', () => {
  const changelog = () => '# Changelog\n\n## Unreleased\n\n- c\n\n## 1.1.0 (2026-05-04)\n\n- b\n\n## 1.0.0\n\n- a\n';
  expect(releaseNotes('1.1.0', changelog)).toBe('- b\n');
  expect(releaseNotes('1.0.0', changelog)).toBe('- a\n');
  expect(releaseNotes('2.0.0', changelog)).toBe('- c\n');
  expect(releaseNotes('2.0.0', () => '# Changelog\n')).toBeUndefined();
});

test('a reference of the integrations to a tag that no release makes is told', () => {
  const changed = (path: string) =>
    path === 'docs/integrations.md' ? read(path).replace(/github@v\S+/, 'github@v1') : read(path);
  expect(versionFaults(changed)).toEqual([expect.stringMatching(/^docs\/integrations\.md names 1 instead of /)]);
});
