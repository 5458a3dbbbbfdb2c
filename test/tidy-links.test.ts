import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow, root } from './repository.ts';

const pages = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...['docs', 'decisions', 'libs', 'apps', 'testing', 'bench']
    .flatMap(filesBelow)
    .filter((path) => path.endsWith('.md')),
];

/** The text of a page without its code blocks. */
function proseOf(path: string): string {
  const text = readFileSync(join(root, path), 'utf8');
  return text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ' '));
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(path: string): string[] {
  const headings = readFileSync(join(root, path), 'utf8')
    .replace(/^```.*?^```/gms, '')
    .matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function faultOf(page: string, target: string): string | undefined {
  if (/^[a-z]+:/.test(target)) return undefined;
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), decodeURIComponent(path));
  if (!existsSync(join(root, file))) return `${page}: ${target} does not exist`;
  if (anchor === undefined || statSync(join(root, file)).isDirectory() || !file.endsWith('.md')) return undefined;
  return anchorsOf(file).includes(anchor) ? undefined : `${page}: ${target} has no such heading`;
}

test('every link on a page points to an existing file and heading', () => {
  const faults = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => faultOf(page, target) ?? []),
  );
  expect(pages.length).toBeGreaterThan(30);
  expect(faults).toEqual([]);
});
