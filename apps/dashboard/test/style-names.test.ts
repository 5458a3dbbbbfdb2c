import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const src = new URL('../src/', import.meta.url);
/** The folders whose styles are on every page. */
const shared = /^(style|shell|matrix|attention|ui)\//;

/** The folders with styles for every view, and for every list of events. */
const general = /^(style|log)\//;

/** The classes that begin a selector in a file, outside of any other class. */
function rootClasses(file: string): string[] {
  const text = readFileSync(new URL(file, src), 'utf8').replace(/\/\*.*?\*\/|\([^()]*\)/gs, '');
  return [...text.matchAll(/(?<=^|[,{}]\s*)\.([a-z][\w-]*)/gm)].map(([, name = '']) => name);
}

/** The classes that a file styles by themselves, not below another class. */
function ownClasses(file: string): string[] {
  const text = readFileSync(new URL(file, src), 'utf8').replace(/\/\*.*?\*\/|\([^()]*\)/gs, '');
  return [...text.matchAll(/(?<=^|[,{}]\s*)\.([a-z][\w-]*)(?=\s*[,{])/gm)].map(([, name = '']) => name);
}

test('no class has styles of two parts of the page, which apply to both once both are loaded', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
  const folders = new Map<string, Set<string>>();
  for (const file of files.filter((each) => !general.test(each))) {
    for (const name of ownClasses(file)) {
      const own = folders.get(name) ?? new Set();
      folders.set(name, own.add(file.replace(/\/.*/, '')));
    }
  }
  expect(folders.size).toBeGreaterThan(200);
  expect([...folders].filter(([, own]) => own.size > 1).map(([name, own]) => [name, ...own])).toEqual([]);
});

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
