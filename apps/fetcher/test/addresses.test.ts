import { expect, test } from 'vitest';
import { addressOf, nextIn, pathOf, redirectTarget } from '../src/tool/addresses.ts';
import { ToolAway } from '../src/tool/refusals.ts';

const base = 'https://git.acme/api/v3';

test.each([
  ['a path', '/repos/a/b?page=2', 'https://git.acme/api/v3/repos/a/b?page=2'],
  [
    'a path with characters that are percent-encoded',
    '/contents/Ünder way.yml',
    'https://git.acme/api/v3/contents/%C3%9Cnder%20way.yml',
  ],
  ['a slash in its query', '/repos?path=a/../b', 'https://git.acme/api/v3/repos?path=a/../b'],
  ['a link of the same origin, even outside the base URL', 'https://git.acme/x?a=1', 'https://git.acme/x?a=1'],
])('resolves %s against the base URL', (_, path, address) => {
  expect(addressOf(base, path).href).toBe(address);
});

test.each([
  ['dots', '/repos/../user'],
  ['encoded dots', '/repos/%2e%2E/user'],
  ['dots after a line break', '/repos/.\n./user'],
  ['a backslash', '/repos/..\\user'],
  ['a fragment', '/repos#x'],
  ['a link of another origin', 'https://other.acme/api/v3/repos'],
  ['a link of another port', 'https://git.acme:444/api/v3/repos'],
  ['a link of another protocol', 'http://git.acme/api/v3/repos'],
  ['a link with a user', 'https://me@git.acme/api/v3/repos'],
  ['text that is not a URL', 'repos'],
])('refuses a request for %s', (_, path) => {
  expect(() => addressOf(base, path)).toThrow(ToolAway);
});

test('shows the path of a URL without its base URL and query', () => {
  expect(pathOf(base, new URL('https://git.acme/api/v3/rate_limit?key=secret'))).toBe('/rate_limit');
  expect(pathOf(base, new URL('https://git.acme/api/v3x/y'))).toBe('/api/v3x/y');
  expect(pathOf('https://api.github.com', new URL('https://api.github.com/user'))).toBe('/user');
});

test.each([
  ['no header', null, undefined],
  ['the only relation', '<https://git.acme/api/v3/x?page=2>; rel="next"', '/api/v3/x?page=2'],
  ['one of several', '<https://git.acme/p>; rel="prev", <https://git.acme/n>; rel="next"', '/n'],
  ['several relations of one link', '<https://git.acme/n>; title="a, b"; rel="last next"', '/n'],
  ['no quotes', '<https://git.acme/n>;rel=next', '/n'],
  ['another case', '<https://git.acme/n>; REL="Next"', '/n'],
  ['others only', '<https://git.acme/n>; rel="nextish", <https://git.acme/x>; title="next"', undefined],
])('finds the next page: %s', (_, link, path) => {
  expect(nextIn(link)?.replace('https://git.acme', '')).toBe(path);
});

test.each([
  ['elsewhere', 'https://git.acme/a', 'https://store.example/b?sig=1', 'https://store.example/b?sig=1'],
  ['a path only', 'https://git.acme/a', '/b#part', 'https://git.acme/b'],
  ['into HTTPS', 'http://git.acme/a', 'https://git.acme/a', 'https://git.acme/a'],
  ['a public address', 'https://git.acme/a', 'https://8.8.8.8/b', 'https://8.8.8.8/b'],
  ['a private network from within a private network', 'http://10.0.0.1/a', 'http://10.0.0.2/b', 'http://10.0.0.2/b'],
])('follows a redirect: %s', (_, from, location, to) => {
  expect(redirectTarget(location, new URL(from)).href).toBe(to);
});

test.each<readonly [string | null, string]>([
  [null, 'no valid target'],
  ['https://', 'no valid target'],
  ['file:///etc/passwd', 'no valid target'],
  ['https://me:pass@git.acme/b', 'no valid target'],
  ['http://store.example/b', 'plain HTTP'],
  ...[
    ...['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0'],
    ...['0x7f.1', '2130706433', '[::1]', '[::]', '[fd00::1]', '[fe80::1]', '[::ffff:10.0.0.1]'],
    ...['localhost', 'localhost.', 'a.localhost'],
  ].map((host) => [`https://${host}/b`, 'private network'] as const),
])('refuses a redirect: %s', (location, why) => {
  expect(() => redirectTarget(location, new URL('https://git.acme/a'))).toThrow(why);
});
