import { describe, expect, test } from 'vitest';
import { dayTime } from '../src/board/day-time.ts';
import { commitUrl, compareUrl, type Named, releaseNotesUrl } from '../src/board/repository.ts';

describe('the link to changes in a repository', () => {
  const [a, b] = ['1a2b3c4d5e6f', '6f5e4d3c2b1a'];
  test.each<[string, string | null, Named, Named, string | undefined]>([
    [
      'shas',
      'https://github.com/acme/shop',
      { version: '1', sha: a },
      { version: '2', sha: b },
      `https://github.com/acme/shop/compare/${a}...${b}`,
    ],
    [
      'versions',
      'https://github.com/acme/shop.git',
      { version: '1.0' },
      { version: '2.0' },
      'https://github.com/acme/shop/compare/1.0...2.0',
    ],
    [
      'tags as they are in the log',
      'https://github.com/acme/shop/',
      { version: '1.0' },
      { version: '2.0', ref: 'refs/tags/v2.0' },
      'https://github.com/acme/shop/compare/v1.0...v2.0',
    ],
    [
      'a folder of a repository',
      'https://github.com/acme/shop/tree/main/api',
      { sha: a },
      { version: '2' },
      `https://github.com/acme/shop/compare/${a}...2`,
    ],
    [
      'a project in GitLab subgroups',
      'https://gitlab.com/acme/web/shop',
      { sha: a },
      { sha: b },
      `https://gitlab.com/acme/web/shop/-/compare/${a}...${b}`,
    ],
    [
      'a private GitLab host recognized by its name',
      'https://gitlab.acme.test/web/shop',
      { sha: a },
      { sha: b },
      `https://gitlab.acme.test/web/shop/-/compare/${a}...${b}`,
    ],
    [
      'a private GitLab host recognized by its paths',
      'https://code.acme.test/web/shop/-/tree/main',
      { sha: a },
      { sha: b },
      `https://code.acme.test/web/shop/-/compare/${a}...${b}`,
    ],
    [
      'a private GitHub host recognized by its name',
      'http://github.acme.test/web/shop',
      { sha: a },
      { sha: b },
      `http://github.acme.test/web/shop/compare/${a}...${b}`,
    ],
    ['an unknown host', 'https://code.acme.test/web/shop', { sha: a }, { sha: b }, undefined],
    [
      'a host whose name only ends like a known one',
      'https://notgithub.test/web/shop',
      { sha: a },
      { sha: b },
      undefined,
    ],
    ['no repository', null, { sha: a }, { sha: b }, undefined],
    ['an address that is not http or https', 'javascript:alert(1)//github.com/a/b', { sha: a }, { sha: b }, undefined],
    ['an address without a repository', 'https://github.com/acme', { sha: a }, { sha: b }, undefined],
    ['equal commits', 'https://github.com/acme/shop', { sha: a }, { sha: a }, undefined],
    ['no version or commit to compare', 'https://github.com/acme/shop', { version: null }, { sha: a }, undefined],
    [
      'hostile versions',
      'https://github.com/acme/shop',
      { version: '../..)' },
      { version: '<b>' },
      'https://github.com/acme/shop/compare/..%2F..%29...%3Cb%3E',
    ],
  ])('finds the link to changes for %s', (_, repository, before, after, url) => {
    expect(compareUrl(repository, before, after)).toBe(url);
  });

  test('a release that was deployed from a tag is linked to its release notes', () => {
    const tagged = { version: '1.2', ref: 'refs/tags/v1.2' };
    expect(releaseNotesUrl('https://github.com/acme/shop', tagged)).toBe(
      'https://github.com/acme/shop/releases/tag/v1.2',
    );
    expect(releaseNotesUrl('https://gitlab.com/acme/shop', tagged)).toBe(
      'https://gitlab.com/acme/shop/-/releases/v1.2',
    );
    expect(releaseNotesUrl('https://github.com/acme/shop', { version: '1.2', ref: 'main' })).toBeUndefined();
    expect(releaseNotesUrl(null, tagged)).toBeUndefined();
  });

  test('a commit is linked if it is valid', () => {
    expect(commitUrl('https://github.com/acme/shop', a)).toBe(`https://github.com/acme/shop/commit/${a}`);
    expect(commitUrl('https://gitlab.com/acme/shop', a)).toBe(`https://gitlab.com/acme/shop/-/commit/${a}`);
    expect(commitUrl('https://github.com/acme/shop', '../x')).toBeUndefined();
  });
});

test('a time is shown with its day', () => {
  const noon = new Date(2026, 4, 4, 12).getTime();
  const at = (...[year, month, day, hour = 9]: number[]) =>
    dayTime(new Date(year ?? 0, month ?? 0, day, hour, 5).getTime(), noon);
  expect(at(2026, 4, 4)).toBe('today 09:05');
  expect(at(2026, 4, 3, 23)).toBe('yesterday 23:05');
  expect(at(2026, 4, 5, 0)).toBe('tomorrow 00:05');
  expect(at(2026, 4, 2)).toBe('2 May 09:05');
  expect(at(2025, 11, 31)).toBe('31 Dec 2025 09:05');
});
