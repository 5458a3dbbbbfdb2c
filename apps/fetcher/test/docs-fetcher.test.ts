import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FetcherHealth, SourceHealth } from '@shiplog/companions';
import { expect, test } from 'vitest';
import { FetcherMetrics } from '../src/metrics.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const page = textOf('docs', 'fetcher.md');
const alerts = textOf('deploy', 'fetcher-alerts.yml');
const rows = page.split('\n').filter((line) => line.startsWith('| '));

/**
 * The shared modules that log on behalf of the fetcher. The only stream that the fetcher follows is the control stream.
 */
const loggingForIt = ['outages.ts', 'side-calls.ts'];
const followed = (text: string) => text.replace(/\$\{stream\}/g, 'control stream');

/** The sources of everything that the fetcher logs or prints. */
const sources = ['apps/fetcher/src', 'libs/component/src', 'libs/server/src']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => ({ folder, name })),
  )
  .filter(({ name }) => name.endsWith('.ts'))
  .map(({ folder, name }) => ({
    isOwn: folder !== 'libs/server/src' || loggingForIt.includes(name),
    text: followed(textOf(folder, name)),
  }));
const fetcherSource = sources.flatMap(({ isOwn, text }) => (isOwn ? [text] : [])).join('\n');
const allSource = sources.map(({ text }) => text).join('\n');

/** A logger call with a literal text. */
const logCall =
  /\blog(?:ger)?\.(debug|info|warn|error|fatal)\(\s*(?:\{(?:[^{}]|\{[^{}]*\})*\},\s*)?(?:'([^']*)'|`([^`]*)`)/g;

function textOf(...path: string[]): string {
  return readFileSync(join(root, ...path), 'utf8');
}

function codesOf(text = ''): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** The rows of the tables below a heading. */
function rowsOf(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) => row.split(' | '));
}

/** Whether a program can print this text, in which … is a variable part. */
function isWritten(text: string): boolean {
  const code = allSource.replaceAll('\\', '');
  return text.split('…').every((part) => code.includes(part.trim()));
}

test('every metric of the fetcher is documented, and every documented metric exists', async () => {
  const metrics = await new FetcherMetrics().http.registry.getMetricsAsJSON();
  const names = metrics.map(({ name }) => name);
  const explained = rows.flatMap((row) => codesOf(row.split('|')[1]));
  expect(names.filter((name) => name.startsWith('shiplog_') && !explained.includes(name))).toEqual([]);
  const named = [...`${page}${alerts}`.matchAll(/\b(?:shiplog_fetcher|http)_[a-z_]+\b/g)];
  expect(named.length).toBeGreaterThan(0);
  expect(named.map(([name]) => name.replace(/_(bucket|count)$/, '')).filter((name) => !names.includes(name))).toEqual(
    [],
  );
});

test('exactly the members of the health response are documented', () => {
  const members = [...Object.keys(FetcherHealth.properties), ...Object.keys(SourceHealth.properties)];
  const explained = rowsOf('Health').flatMap(([names]) => codesOf(names));
  expect(explained.sort()).toEqual(members.sort());
});

test('every log line is documented, and the fetcher can write every documented line', () => {
  const lines = [...fetcherSource.matchAll(logCall)].map(([, level = '', plain, template = '']) => ({
    level,
    line: plain ?? template.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…'),
  }));
  expect(lines.length).toBeGreaterThan(10);
  const told = rowsOf('Log lines');
  const has = ({ level, line }: (typeof lines)[number]) =>
    told.some(([itsLevel, names = '']) => itsLevel === level && names.includes(`\`${line}\``));
  expect(lines.filter((line) => !has(line))).toEqual([]);
  expect(told.flatMap(([, names]) => codesOf(names)).filter((line) => !isWritten(line))).toEqual([]);
});

test('the fetcher can print every documented error sentence', () => {
  const sentences = rowsOf('Errors').flatMap(([sentence]) => codesOf(sentence));
  expect(sentences.length).toBeGreaterThan(15);
  // The sentence contains the variable and the tool as placeholders.
  const plain = sentences.map((sentence) => sentence.replace(/^GITHUB_\w+|\b(401|403|429|502)\b/g, '…'));
  expect(plain.filter((sentence) => !isWritten(sentence))).toEqual([]);
});

test('every alert names the first step to take', () => {
  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !rows.some((row) => row.startsWith(`| \`${name}\` |`)))).toEqual([]);
});

test('every link in docs/fetcher.md has an existing target', () => {
  const links = [...page.matchAll(/\]\((?!https:)([^)]+)\)/g)].map(([, target = '']) => target);
  const isThere = (target: string) => {
    const [path, anchor] = target.split('#');
    const file = path ? join(root, 'docs', path) : join(root, 'docs', 'fetcher.md');
    if (!existsSync(file)) return false;
    const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    return anchor === undefined || headings.includes(anchor);
  };
  expect(links.filter((target) => !isThere(target))).toEqual([]);
});
