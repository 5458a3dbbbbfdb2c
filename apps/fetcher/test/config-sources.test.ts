import { expect, test } from 'vitest';
import { configOf, mistakesIn } from './support/config.ts';

test('accepts the smallest and the most complete source', () => {
  const { sources } = configOf(
    'sources:',
    '  - { adapter: github-actions, repos: [acme/*, "!acme/legacy-*"] }',
    '  - adapter: gitlab',
    '    id: pf',
    '    id_prefix: g-',
    '    base_url: https://git.acme/api/',
    '    token_env: PF_TOKEN',
    '    projects: [pf/**]',
  );
  expect(sources).toEqual([
    {
      adapter: 'github-actions',
      id: 'github-actions',
      idPrefix: '',
      places: ['acme/*', '!acme/legacy-*'],
      line: 3,
    },
    {
      adapter: 'gitlab',
      id: 'pf',
      idPrefix: 'g-',
      baseUrl: 'https://git.acme/api',
      tokenEnv: 'PF_TOKEN',
      places: ['pf/**'],
      line: 4,
    },
  ]);
});

const github = 'adapter: github-actions, repos: [acme/*]';

test.each<[string, string]>([
  ['[]', 'sources is empty; list a source or remove it'],
  ['{}', 'sources must be a list'],
  ['[text]', 'sources[0] must be an object'],
  ['[{ repos: [acme/*] }]', 'sources[0] needs an adapter, one of github-actions, gitlab'],
  ['[{ adapter: jenkins, repos: [a/b] }]', 'sources[0].adapter is not an adapter; use one of github-actions,'],
  [`[{ ${github}, token: x }]`, 'sources[0].token is not known here'],
  [`[{ ${github} }, { ${github} }]`, 'sources[1] has the id "github-actions" of another source'],
  [
    `[{ ${github} }, { adapter: gitlab, id: github-actions, projects: [a/b] }]`,
    'sources[1] has the id "github-actions"',
  ],
  [`[{ ${github}, id: GHES }]`, 'sources[0].id must match ^[a-z0-9]'],
  [`[{ ${github}, id: ${'x'.repeat(65)} }]`, 'sources[0].id must match ^[a-z0-9]'],
  [`[{ ${github}, id_prefix: "a b" }]`, 'sources[0].id_prefix must have 1 to 50 visible ASCII characters'],
  [`[{ ${github}, id_prefix: ${'x'.repeat(51)} }]`, 'sources[0].id_prefix must have 1 to 50'],
  [`[{ ${github}, base_url: git.acme }]`, 'sources[0].base_url must be a URL such as'],
  [`[{ ${github}, base_url: "https://u:p@git.acme" }]`, 'sources[0].base_url must be a URL such as'],
  [`[{ ${github}, token_env: 1TOKEN }]`, 'sources[0].token_env must be the name of an environment variable'],
  [`[{ ${github}, token_env: ghp-x }]`, 'sources[0].token_env must be the name of an environment variable'],
  [`[{ ${github}, projects: [a/b] }]`, 'sources[0].projects does not belong to this adapter, which has repos'],
  ['[{ adapter: github-actions }]', 'sources[0] needs repos, the list of places to poll'],
  ['[{ adapter: github-actions, repos: acme/* }]', 'sources[0].repos must be a list'],
  ['[{ adapter: github-actions, repos: [] }]', 'sources[0].repos matches nothing'],
  ['[{ adapter: github-actions, repos: ["!a/b"] }]', 'sources[0].repos matches nothing'],
  ['[{ adapter: github-actions, repos: [acme] }]', 'sources[0].repos[0] must be an item of owner/repo, owner/* and *'],
  ['[{ adapter: github-actions, repos: ["a/b,c/d"] }]', 'sources[0].repos[0] must be an item of owner/repo'],
  ['[{ adapter: github-actions, repos: [a/b, "!{x"] }]', 'sources[0].repos[1] has an unclosed "{"'],
  ['[{ adapter: github-actions, repos: [a/b, "!{x}"] }]', 'sources[0].repos[1] captures "x" in a pattern with "!"'],
  ['[{ adapter: github-actions, repos: [a/b, !a/c] }]', 'YAML tags are not supported; quote text that begins'],
])('refuses the sources %s: %s', (sources, sentence) => {
  expect(mistakesIn(`version: 1\nsources: ${sources}`)).toContain(sentence);
});

test("if a token is given instead of the variable name, the error message doesn't repeat it", () => {
  expect(mistakesIn(`version: 1\nsources: [{ ${github}, token_env: ghp-secret }]`)).not.toContain('ghp-secret');
});
