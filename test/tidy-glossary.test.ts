import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFiles, root } from './repository.ts';

/** The entries of the glossary in ARCHITECTURE.md. */
function glossary(): string[] {
  const [, section = ''] = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split('\n## Glossary\n');
  return [...section.matchAll(/^\| ([a-z][a-z ]*) \| /gm)].map(([, word = '']) => word);
}

/** The words of `poster-limits.ts` or `PosterLimits`, in lower case and without a plural's s. */
function wordsOf(name: string): string[] {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^A-Za-z]+/);
  return words.map((word) => word.toLowerCase().replace(/s$/, ''));
}

test('the tree uses every entry of the glossary in a path or an exported name', () => {
  const files = readFiles(['libs', 'apps', 'testing', 'conformance', 'bench'], /\.(?:tsx?|js)$/);
  const exported = files.flatMap(({ text }) =>
    [...text.matchAll(/^export (?:async )?(?:const|function\*?|class|interface|type) (\w+)/gm)].map(
      ([, name = '']) => name,
    ),
  );
  const used = new Set([...files.map(({ path }) => path), ...exported].flatMap(wordsOf));
  const entries = glossary();
  expect(entries.length).toBeGreaterThan(40);
  expect(entries.filter((entry) => !wordsOf(entry).every((word) => used.has(word)))).toEqual([]);
});

test('the glossary is in alphabetical order and has each entry once', () => {
  const entries = glossary();
  expect(entries).toEqual([...new Set(entries)].sort());
});
