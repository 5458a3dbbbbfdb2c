import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

test('the README has the views of the head by their titles, and as many charts as there are', () => {
  const titles = [...read('../src/shell/views.ts').matchAll(/title: '([^']+)'/g)].map(([, title]) => title);
  const [, table = ''] =
    /\n\| View \| Shows \|\n\| --- \| --- \|\n((?:\|.*\n)+)/.exec(read('../../../README.md')) ?? [];
  expect([...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, name]) => name)).toEqual(titles);
  const charts = [...read('../src/analytics/analytics-view.tsx').matchAll(/<\w+Chart /g)].length;
  expect([table.includes('ten charts'), charts]).toEqual([true, 10]);
});
