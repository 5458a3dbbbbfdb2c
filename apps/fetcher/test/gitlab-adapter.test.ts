import { expect, test } from 'vitest';
import { aProject, aSeed } from '../../ci-emulator/test/support/emulator.ts';
import { gitlab } from '../src/adapters/gitlab/adapter.ts';
import type { Tool, ToolHttp } from '../src/tool/tool-http.ts';
import { GitlabRun } from './support/source-run.ts';

/** The tool that a source sends its requests to. */
async function toolOf(token?: string): Promise<Tool> {
  const trial = await GitlabRun.start({ data: aSeed() });
  const made: Tool[] = [];
  const http = (tool: Tool) => {
    made.push(tool);
    return {} as ToolHttp;
  };
  gitlab.open({ ...trial.context(), token, http });
  const [tool] = made;
  if (!tool) throw new Error('no requests were prepared');
  return tool;
}

test.each(['acme/ledger', 'acme/sub/ledger', 'acme/*', 'acme/**', 'acme/app-*', 'acme/*,!acme/old-*', 'acme/a.b-c_d'])(
  '§2: GITLAB_PROJECTS accepts %s',
  (text) => {
    expect(gitlab.places.setting.parse(text)).toBe(text);
  },
);

test.each(['acme', '*', '*/ledger', '**', '/ledger', 'acme/', 'acme ledger/x', 'acme/{x}', '!', 'acme//ledger'])(
  '§2: GITLAB_PROJECTS does not accept %s',
  (text) => {
    expect(gitlab.places.setting.parse(text)).toBeUndefined();
  },
);

test('§10: a token is sent as PRIVATE-TOKEN', async () => {
  const { signal } = new AbortController();
  expect(await (await toolOf('a-token')).headers(signal)).toEqual({ 'private-token': 'a-token' });
  expect(await (await toolOf()).headers(signal)).toEqual({});
});

test.each<[headers: Record<string, string>, expected: object | undefined]>([
  [
    { limit: '2000', remaining: '0', reset: '1777885260' },
    { limit: 2000, remaining: 0, resetMs: 1_777_885_260_000 },
  ],
  [{ limit: '2000', remaining: '5' }, undefined],
  [{ limit: '2000', remaining: '-5', reset: '1777885260' }, undefined],
  [{}, undefined],
])('§10: the rate limit in the headers %j is %j', async (rate, expected) => {
  const headers = new Headers(
    Object.entries(rate).map(([name, value]): [string, string] => [`RateLimit-${name}`, value]),
  );
  expect((await toolOf()).rateOf(headers)).toEqual(expected);
});

test('§10: a 304 is charged', async () => {
  expect((await toolOf()).isCharged(304, '/api/v4/projects/7/deployments')).toBe(true);
});

const group = aSeed({
  repos: [],
  projects: [
    aProject({ id: 1, path: 'acme/ledger', pipelines: [], deployments: [] }),
    aProject({ id: 2, path: 'acme/sub/ledger', pipelines: [], deployments: [] }),
    aProject({ id: 3, path: 'acme/old-ledger', pipelines: [], deployments: [] }),
    aProject({ id: 4, path: 'other/ledger', pipelines: [], deployments: [] }),
  ],
});

test.each<[places: readonly string[], polled: readonly string[], forbidden: readonly string[]]>([
  [['acme/*'], ['1', '3'], []],
  [['acme/**'], ['1', '2', '3'], []],
  [['ACME/**', '!acme/old-*'], ['1', '2'], []],
  [['acme/*/ledger'], ['2'], []],
  [['acme/ledger', 'other/ledger'], ['1', '4'], []],
  [['acme/ledger', '!acme/ledger'], [], []],
  [['acme/ledger', 'acme/nothing', 'none/*'], ['1'], ['acme/nothing', 'none/*']],
])('§2: %j polls the projects %j, and access to %j is refused', async (places, polled, forbidden) => {
  const trial = await GitlabRun.start({ data: group, places });
  const source = await trial.first();
  const { r } = trial.memory as { r: object };
  expect([Object.keys(r), source.figures(trial.memory).forbidden]).toEqual([polled, forbidden]);
});
