import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

test('the README lists all views by title', () => {
  const titles = [...read('../src/shell/views.ts').matchAll(/title: '([^']+)'/g)].map(([, title]) => title);
  const [, table = ''] =
    /\n\| View \| Shows \|\n\| --- \| --- \|\n((?:\|.*\n)+)/.exec(read('../../../README.md')) ?? [];
  expect([...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, name]) => name)).toEqual(titles);
});
