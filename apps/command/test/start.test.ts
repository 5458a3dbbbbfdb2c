import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** The modules and packages that a module loads, except Node's own. */
function loadedBy(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const text = readFileSync(path, 'utf8');
  for (const [, names = '', target = ''] of text.matchAll(/^import\b([^;]*?)(?:from )?'([^']+)';/gm)) {
    if (/^\s*type\b/.test(names) || target.startsWith('node:')) continue;
    if (target.startsWith('.')) loadedBy(join(dirname(path), target), seen);
    else seen.add(target);
  }
  return seen;
}

test('starting the command loads the parser and the definitions, but no schemas, client or server', () => {
  const loaded = loadedBy(join(import.meta.dirname, '../src/main.ts'));
  expect(loaded.size).toBeGreaterThan(10);
  const packages = [...loaded].filter((name) => !name.startsWith('/'));
  // None of these modules imports others.
  const light = ['duration', 'instant', 'limits', 'status', 'version'].map((name) => `@shiplog/contract/${name}`);
  expect(packages.filter((name) => !['commander', '@shiplog/text', ...light].includes(name))).toEqual([]);
});
