import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

/**
 * The scripts needed for the first paint of the board: the page's script with all its static imports, and the worker.
 */
const assets = new URL('../dist/assets/', import.meta.url);
const limitBytes = 64_000;

function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(new URL(name, assets), 'utf8');
  for (const [, imported = ''] of text.matchAll(/(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g))
    withImports(imported, found);
  return found;
}

test('the scripts of the board have at most 64 kB in total', () => {
  const [, entry = ''] =
    /src="\.\/assets\/([\w-]+\.js)"/.exec(readFileSync(new URL('../index.html', assets), 'utf8')) ?? [];
  const worker = readdirSync(assets).filter((name) => /^worker-[\w-]+\.js$/.test(name));
  expect(worker).toHaveLength(1);
  const loaded = [...withImports(entry), ...worker].map(
    (name) => [name, gzipSync(readFileSync(new URL(name, assets))).length] as const,
  );
  expect(loaded.length).toBeGreaterThan(1);
  expect(
    loaded.reduce((sum, [, bytes]) => sum + bytes, 0),
    JSON.stringify(loaded),
  ).toBeLessThanOrEqual(limitBytes);
});
