import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { releaseNotes, versionFaults } from '../versions.js';

const root = join(import.meta.dirname, '../..');

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

test('all files name the same version', () => {
  expect(versionFaults()).toEqual([]);
});

test('the version check reports a file with another version or without one', () => {
  const changed = (path: string) =>
    path === 'deploy/compose.yaml' ? read(path).replaceAll('shiplog:0', 'shiplog:9') : read(path);
  const [fault] = versionFaults(changed);
  expect(fault).toMatch(/^deploy\/compose\.yaml has version 9\.\d+\.\d+; expected /);
  const emptied = (path: string) => (path === 'docs/integrations.md' ? '' : read(path));
  expect(versionFaults(emptied)).toEqual([expect.stringMatching(/^docs\/integrations\.md has no version/)]);
});

test('the release notes are the changelog section of the release, or else the Unreleased section', () => {
  const changelog = () => '# Changelog\n\n## Unreleased\n\n- c\n\n## 1.1.0 (2026-05-04)\n\n- b\n\n## 1.0.0\n\n- a\n';
  expect(releaseNotes('1.1.0', changelog)).toBe('- b\n');
  expect(releaseNotes('1.0.0', changelog)).toBe('- a\n');
  expect(releaseNotes('2.0.0', changelog)).toBe('- c\n');
  expect(releaseNotes('2.0.0', () => '# Changelog\n')).toBeUndefined();
});

test('the version check reports a reference to a tag that no release creates', () => {
  const changed = (path: string) =>
    path === 'docs/integrations.md' ? read(path).replace(/github@v\S+/, 'github@v1') : read(path);
  expect(versionFaults(changed)).toEqual([expect.stringMatching(/^docs\/integrations\.md has version 1; expected /)]);
});
