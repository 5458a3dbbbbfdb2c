import { execFileSync } from 'node:child_process';
import { shellQuoted } from '@shiplog/text';
import { expect, test } from 'vitest';
import { curlOfEvent, curlOfListing } from '../src/log/curl.ts';
import { runLinkOf } from '../src/log/outer-link.tsx';

const hostile = [
  "it's",
  "'; touch /tmp/owned; '",
  "'\\''",
  '$(id) `id` $HOME',
  '"double" \\backslash\\',
  'line\nbreak',
  '!history !!',
  '*?[a-z]{1,2}~',
  '-n',
  '',
  'ünïcode 🚢',
];

test.each(hostile)('a shell parses the quoted text back to %j', (text) => {
  // Print the text between marks, because a shell strips trailing line breaks from the output of a command.
  expect(execFileSync('sh', ['-c', `printf '<%s>' ${shellQuoted(text)}`], { encoding: 'utf8' })).toBe(`<${text}>`);
});

/** The arguments that a shell would pass to `curl`. */
function wordsOf(command: string): string[] {
  return execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${command}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

test.each(hostile)('the API address of a slot named %j has only printable characters', (name) => {
  const command = curlOfListing("http://ship.log/o'dir", { service: name, environment: name, limit: 100 });
  expect(command).toMatch(/^[\x20-\x7e]*$/);
  const [, url = '', ...more] = wordsOf(command);
  expect(more).toEqual([]);
  const { pathname, searchParams } = new URL(url);
  expect([pathname, searchParams.get('service'), searchParams.get('environment')]).toEqual([
    "/o'dir/api/deployments",
    name,
    name,
  ]);
});

test('the copied command retrieves the event', () => {
  const id = '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55';
  expect(curlOfEvent('http://127.0.0.1:3000', id)).toBe(`curl -sSg 'http://127.0.0.1:3000/api/deployments/${id}'`);
  expect(curlOfEvent('http://a', "x' ; id\u0003")).toBe(`curl -sSg 'http://a/api/deployments/x'\\''%20%3B%20id%03'`);
});

test.each([
  ['https://ci.example.com/runs/7421', 'https://ci.example.com/runs/7421'],
  ['HTTP://ci.example.com', 'http://ci.example.com/'],
  ['javascript:alert(1)', undefined],
  ['JavaScript:alert(1)//https://x', undefined],
  ['java\nscript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['ftp://ci.example.com', undefined],
  ['//ci.example.com', undefined],
  ['https:ci.example.com', undefined],
  [' https://ci.example.com', undefined],
  ['https://', undefined],
  ['urn:run:7421', undefined],
  ['', undefined],
  [undefined, undefined],
])('a run with the URL %j links to %j', (url, href) => {
  expect(runLinkOf(url)).toBe(href);
});
