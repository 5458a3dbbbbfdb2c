import { testLogger } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { Discovery } from '../src/adapters/github/discovery.ts';
import { AuthFailed, PlaceRefused, ToolAway } from '../src/tool/refusals.ts';
import { scriptedTool } from './support/github-tool.ts';

const signal = new AbortController().signal;
const hourMs = 3_600_000;
const organisation = '/orgs/acme/repos';
const user = '/users/acme/repos';
const listOfAll = '/user/repos';

function repositories(...names: readonly string[]) {
  return names.map((full_name) => ({ full_name, archived: full_name.endsWith('-archived') }));
}

function discoveryOf(answers: Record<string, unknown>, ...places: readonly string[]) {
  const http = scriptedTool(answers);
  const discovery = new Discovery({ http, places, listOfAll, periodMs: hourMs, log: testLogger(undefined) });
  return { http, discovery };
}

const cases: readonly [string, readonly string[], Record<string, unknown>, readonly string[]][] = [
  ['configured names, without a request', ['acme/shop', 'foo/bar'], {}, ['acme/shop', 'foo/bar']],
  [
    'the repositories of an organisation',
    ['acme/*'],
    { [organisation]: repositories('acme/a', 'acme/b') },
    ['acme/a', 'acme/b'],
  ],
  ['the repositories of a user', ['acme/*'], { [user]: repositories('acme/a') }, ['acme/a']],
  [
    'all repositories that the token can access',
    ['*'],
    { [listOfAll]: repositories('acme/a', 'foo/b') },
    ['acme/a', 'foo/b'],
  ],
  ['no archived repositories', ['acme/*'], { [organisation]: repositories('acme/a', 'acme/b-archived') }, ['acme/a']],
  [
    'repositories by a part of their name',
    ['acme/web-*'],
    { [organisation]: repositories('acme/a', 'acme/Web-b') },
    ['acme/Web-b'],
  ],
  [
    'all but excluded repositories',
    ['acme/*', '!acme/x-*'],
    { [organisation]: repositories('acme/a', 'acme/X-b') },
    ['acme/a'],
  ],
  [
    'each repository once',
    ['acme/A', 'acme/*'],
    { [organisation]: repositories('acme/a', 'acme/b') },
    ['acme/A', 'acme/b'],
  ],
  ['nothing in a refused list', ['foo/*', 'acme/shop'], {}, ['acme/shop']],
];

test.each(cases)('discovery finds %s', async (_, places, answers, names) => {
  expect(await discoveryOf(answers, ...places).discovery.names(0, signal)).toEqual(names);
});

test('discovery is due at the start and after each period', async () => {
  const { discovery } = discoveryOf({}, 'acme/shop');
  expect(discovery.isDue(0)).toBe(true);
  await discovery.names(0, signal);
  expect([discovery.isDue(hourMs - 1), discovery.isDue(hourMs)]).toEqual([false, true]);
});

test('whether an owner is an organization is requested only once', async () => {
  const { discovery, http } = discoveryOf({ [user]: [] }, 'acme/*');
  await discovery.names(0, signal);
  await discovery.names(hourMs, signal);
  expect(http.asked.map((path) => path.split('?')[0])).toEqual([organisation, user, user]);
});

test("if a list can't be read, its previous value is kept; without a previous value, discovery fails", async () => {
  const answers: Record<string, unknown> = { [organisation]: new ToolAway('502') };
  const { discovery } = discoveryOf(answers, 'acme/*');
  await expect(discovery.names(0, signal)).rejects.toThrow(ToolAway);
  expect(discovery.isDue(1)).toBe(true);
  answers[organisation] = repositories('acme/a');
  expect(await discovery.names(1, signal)).toEqual(['acme/a']);
  for (const failure of [new ToolAway('502'), new PlaceRefused('no', 403)]) {
    answers[organisation] = failure;
    expect(await discovery.names(2, signal)).toEqual(['acme/a']);
  }
  answers[organisation] = new AuthFailed('401');
  await expect(discovery.names(3, signal)).rejects.toThrow(AuthFailed);
});

test('discovery accepts every repository that matches its places; without places it accepts all, without requests', () => {
  const { discovery } = discoveryOf({}, 'acme/*', '!acme/secret', 'foo/bar');
  const names = ['ACME/shop', 'acme/secret', 'foo/bar', 'foo/baz'];
  expect(names.map((name) => discovery.covers(name))).toEqual([true, false, true, false]);
  const idle = discoveryOf({}).discovery;
  expect([idle.isIdle, idle.isDue(0), idle.covers('any/thing')]).toEqual([true, false, true]);
});
