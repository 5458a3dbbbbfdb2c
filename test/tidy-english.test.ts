import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { readFiles, root } from './repository.ts';

/** The checked files: all text of documentation pages, and the strings of modules. */
const checked = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'testing/README.md'],
  ...[
    'access',
    'analytics',
    'catalog',
    'dependencies',
    'guarantees',
    'operations',
    'performance',
    'scaling',
    'settings',
  ].map((page) => `docs/${page}.md`),
  ...['apps/demo/src', 'apps/demo-driver/src', 'apps/demo-driver/panel', 'apps/mock/src', 'apps/mock/panel'],
  ...['apps/dashboard/README.md', 'apps/command/README.md'],
  ...['ci-emulator', 'command', 'dashboard', 'fetcher', 'relay', 'service'].map((app) => `apps/${app}/src`),
  ...['access', 'catalog', 'companions', 'component', 'contract', 'embedded-postgres', 'server', 'text'].map(
    (lib) => `libs/${lib}/src`,
  ),
  ...['command', 'dashboard', 'fetcher', 'integrations', 'relay'].map((page) => `docs/${page}.md`),
  ...['libs/panels/ui', 'apps/ci-emulator/panel'],
  ...['libs/client/src', 'libs/panels/files', 'libs/scenarios', 'libs/streams'],
  ...['integrations', 'packaging', 'testing', 'decisions'],
  ...['ci-emulator', 'command', 'companion-services', 'fetcher', 'questions', 'readings'].map(
    (page) => `docs/specification/${page}.md`,
  ),
];

/** Awkward phrases, each with a replacement. */
const refused: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\banew\b/i, 'again'],
  [/\b(?:is|are|was|were|be|been|being) told\b/i, 'is reported'],
  [/\bbeside\b/i, 'next to, besides'],
  [/\bso (?:many|long ago)\b/i, 'that many, an age'],
  [/\bthere (?:is|are) none\b/i, 'what is missing'],
  [/\b(?:nobody|somebody|whoever)\b/i, 'no one, someone, or the actor'],
  [/\bnews (?:come|are)\b/i, 'news appears'],
  [/\b(?:goes|went|going) on\b/i, 'continues'],
  [/\bby (?:it|them)sel(?:f|ves)\b/i, 'automatically, alone'],
  [/\beach further\b/i, 'each additional'],
  [/\bthat what\b/i, 'what'],
  [/\b(?:let|lets) through\b/i, 'matches'],
  [/\ball of (?:it|them|these|those)\b/i, 'all'],
  [/\b(?:is|are) well\b(?!-)/i, 'is healthy'],
  [/\ba? ?mistakes? of\b/i, 'a bug in, an error in'],
  [/\b(?:surroundings|doings|parcels?|emitters?|ladders?)\b/i, "the field's noun"],
  [/\b(?:is|are) (?:asked|looked|waited) (?:again|after)\b/i, 'the actor first'],
  [/\bstands? for itself\b/i, 'is'],
  [/, (?:that|which) what\b/i, 'two sentences'],
];

/** Names that can't be changed: a value of the API, and a Unix user. */
const fixedNames = /\boutside-ladder\b|\buser nobody\b/g;

interface Phrase {
  readonly path: string;
  readonly text: string;
}

/** The paragraphs of a page without its code. */
function paragraphsOf({ path, text }: Phrase): Phrase[] {
  const prose = text.replace(/^```.*?^ *```/gms, '').replace(/`[^`\n]*`/g, 'code');
  return prose.split(/\n{2,}|\n(?=\|)/).map((paragraph) => ({ path, text: paragraph }));
}

type Node = Readonly<Record<string, unknown>>;

/** Every string of a module with at least two words, without template insertions. */
function stringsOf({ path, text }: Phrase): Phrase[] {
  const found: string[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) walk(item);
    if (Array.isArray(node) || typeof node !== 'object' || node === null) return;
    const { type, value } = node as Node;
    if ((type === 'Literal' || type === 'JSXText') && typeof value === 'string') found.push(value);
    if (type === 'TemplateElement') found.push((value as { cooked?: string }).cooked ?? '');
    for (const part of Object.values(node)) walk(part);
  };
  walk(parseSync(path, text).program);
  return found
    .filter((string) => /\w \w/.test(string))
    .map((string) => ({ path, text: string.replace(/`[^`]*`/g, '').replace(fixedNames, '') }));
}

/** A message for each forbidden phrase, with the file and the replacement. */
export function faultsOf(files: readonly Phrase[]): string[] {
  const phrases = files.flatMap((file) => (file.path.endsWith('.md') ? paragraphsOf(file) : stringsOf(file)));
  return phrases.flatMap(({ path, text }) =>
    refused.flatMap(([phrase, instead]) => {
      const [words] = phrase.exec(text) ?? [];
      return words === undefined
        ? []
        : [`${path}: "${words}" (write: ${instead}) in "${text.trim().replace(/\s+/g, ' ')}"`];
    }),
  );
}

function filesAt(place: string): Phrase[] {
  if (existsSync(join(root, place)) && statSync(join(root, place)).isFile()) {
    return [{ path: place, text: readFileSync(join(root, place), 'utf8') }];
  }
  return readFiles([place], /\.(?:tsx?|js|md)$/).filter(({ path }) => !/\.test\.ts$|\.d\.ts$/.test(path));
}

test('pages and messages are plain English', () => {
  const files = checked.flatMap(filesAt);
  expect(files.length).toBeGreaterThanOrEqual(checked.length);
  expect(faultsOf(files)).toEqual([]);
});

test.each([
  ['page.md', 'It is asked again by itself.\n\n`anew` is code.', 2],
  ['page.md', 'The service retries automatically and works well.', 0],
  ['view.tsx', 'export const View = () => <p title="so many rows">Everything is told anew</p>;', 3],
  ['wire.ts', "export const reason = 'outside-ladder'; // is told anew", 0],
  ['text.ts', 'export const line = `Twelve rows are well`;', 1],
])('%s with %j has %d forbidden phrases', (path, text, count) => {
  expect(faultsOf([{ path, text }])).toHaveLength(count);
});
