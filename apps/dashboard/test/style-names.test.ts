import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const src = new URL('../src/', import.meta.url);
/** The folders whose styles are on every page. */
const shared = /^(style|shell|matrix|attention|ui)\//;

/** The classes that begin a selector in a file, outside of any other class. */
function rootClasses(file: string): string[] {
  const text = readFileSync(new URL(file, src), 'utf8').replace(/\/\*.*?\*\/|\([^()]*\)/gs, '');
  return [...text.matchAll(/(?<=^|[,{}]\s*)\.([a-z][\w-]*)/gm)].map(([, name = '']) => name);
}

test('no style of a view has a class of the board, because the styles of all views are loaded while the browser is idle', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
  const ofBoard = new Set(files.filter((file) => /^(matrix|attention)\//.test(file)).flatMap(rootClasses));
  expect(ofBoard.size).toBeGreaterThan(50);
  const doubled = files
    .filter((file) => !shared.test(file))
    .flatMap((file) => rootClasses(file).map((name) => [file, name] as const))
    .filter(([, name]) => ofBoard.has(name));
  expect(doubled).toEqual([]);
});
