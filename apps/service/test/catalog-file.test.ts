import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger } from '@shiplog/server';
import { testFolder, until } from '@shiplog/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CatalogFile } from '../src/catalog-file.ts';
import { ServiceMetrics } from '../src/metrics.ts';

const ofTeam = (team: string) => `services: [{ name: pay, team: ${team} }]\n`;

async function watched(path: string | undefined) {
  const metrics = new ServiceMetrics();
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  const file = await CatalogFile.open({ path, pollMs: 5, metrics, logger });
  onTestFinished(() => file.stop());
  file.start();
  const faults = async () => (await metrics.catalogFaults.get()).values[0]?.value ?? 0;
  const digests = async () => (await metrics.catalogInfo.get()).values.map(({ labels }) => labels.digest);
  const becomes = (team: string | null) => until(async () => file.current.teamOf('pay') === team);
  return { file, lines, faults, digests, becomes };
}

test('an overwritten file is reloaded, and its digest is reported', async () => {
  const path = join(await testFolder(), 'catalog.yaml');
  await writeFile(path, ofTeam('one'));
  const { file, becomes, digests, lines } = await watched(path);
  expect(file.current.teamOf('pay')).toBe('one');
  const [first] = await digests();
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  await writeFile(path, ofTeam('two'));
  await becomes('two');
  expect(await digests()).toEqual([expect.not.stringMatching(first as string)]);
  expect(lines.join('')).toContain('loaded the changed catalog');
});

test('a file replaced by a rename is reloaded', async () => {
  const folder = await testFolder();
  await writeFile(join(folder, 'catalog.yaml'), ofTeam('one'));
  const { becomes } = await watched(join(folder, 'catalog.yaml'));
  await writeFile(join(folder, 'other.yaml'), ofTeam('two'));
  await rename(join(folder, 'other.yaml'), join(folder, 'catalog.yaml'));
  await becomes('two');
});

test('a file is reloaded when a link above it changes, as in a ConfigMap mounted by Kubernetes', async () => {
  const folder = await testFolder();
  for (const team of ['one', 'two']) {
    await mkdir(join(folder, team));
    await writeFile(join(folder, team, 'catalog.yaml'), ofTeam(team));
  }
  await symlink('one', join(folder, '..data'));
  await symlink('..data/catalog.yaml', join(folder, 'catalog.yaml'));
  const { file, becomes } = await watched(join(folder, 'catalog.yaml'));
  expect(file.current.teamOf('pay')).toBe('one');
  await symlink('two', join(folder, '..data_tmp'));
  await rename(join(folder, '..data_tmp'), join(folder, '..data'));
  await becomes('two');
});

test('an invalid version is logged and counted once, and the last valid version stays in use', async () => {
  const path = join(await testFolder(), 'catalog.yaml');
  await writeFile(path, ofTeam('one'));
  const { file, becomes, faults, lines, digests } = await watched(path);
  const good = await digests();
  await writeFile(path, 'services:\n  - team: two\n');
  await until(async () => (await faults()) === 1);
  expect(file.current.teamOf('pay')).toBe('one');
  expect(await digests()).toEqual(good);
  // The file is polled in the meantime.
  for (let read = 0; read < 200; read += 1) await readFile(path);
  expect(await faults()).toBe(1);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/catalog\.yaml, line 2, column 5: services\[0\] needs a name/);
  await rm(path);
  await until(async () => (await faults()) === 2);
  expect(file.current.teamOf('pay')).toBe('one');
  expect(lines[1]).toMatch(/cannot be read \(ENOENT\)/);
  await writeFile(path, Buffer.from([0xff]));
  await until(async () => (await faults()) === 3);
  await writeFile(path, `# ${'x'.repeat(4 * 1024 * 1024)}`);
  await until(async () => (await faults()) === 4);
  expect(lines[3]).toMatch(/larger than 4 MiB/);
  await writeFile(path, ofTeam('three'));
  await becomes('three');
});

test('a version that is found only once is not validated, because an editor may still be writing it', async () => {
  const path = join(await testFolder(), 'catalog.yaml');
  await writeFile(path, ofTeam('one'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { file, faults, lines } = await watched(path);
  const look = async () => {
    vi.advanceTimersToNextTimer();
    while (vi.getTimerCount() === 0) await new Promise(setImmediate);
  };
  for (const half of ['', ofTeam('one').slice(0, -3), 'services: []\n', ofTeam('one')]) {
    await writeFile(path, half);
    await look();
    expect(file.current.teamOf('pay')).toBe('one');
  }
  await writeFile(path, '');
  await look();
  await writeFile(path, ofTeam('two'));
  await look();
  await look();
  expect(file.current.teamOf('pay')).toBe('two');
  expect([await faults(), lines.length]).toEqual([0, 1]);
  await writeFile(path, '');
  await look();
  await look();
  expect(file.current.teamOf('pay')).toBe('two');
  expect(lines[1]).toMatch(/catalog\.yaml, line 1, column 1: the file is empty/);
});

test.each([
  ['missing', undefined, /catalog\.yaml cannot be read \(ENOENT\)\. Correct CATALOG_FILE or the file\.$/],
  ['too large', `# ${'x'.repeat(4 * 1024 * 1024)}`, /is larger than 4 MiB/],
  ['no UTF-8', Buffer.from([0xc3]), /is not valid UTF-8/],
  ['faulty', 'services:\n  - nam: a\n', /line 2, column 5: services\[0\]\.nam is not known here/],
])('a file that is %s stops the start', async (_, content, sentence) => {
  const path = join(await testFolder(), 'catalog.yaml');
  if (content !== undefined) await writeFile(path, content);
  await expect(watched(path)).rejects.toThrow(sentence);
});

test('a file of exactly 4 MiB is accepted', async () => {
  const path = join(await testFolder(), 'catalog.yaml');
  const text = ofTeam('one');
  await writeFile(path, `${text}#${'x'.repeat(4 * 1024 * 1024 - text.length - 1)}`);
  expect((await watched(path)).file.current.teamOf('pay')).toBe('one');
});

test('the catalog is empty and nothing is polled if there is no file', async () => {
  const { file, digests } = await watched(undefined);
  expect(file.current.teamOf('pay')).toBeNull();
  expect(file.current.hasTeam('core')).toBe(false);
  expect(await digests()).toEqual([]);
});
