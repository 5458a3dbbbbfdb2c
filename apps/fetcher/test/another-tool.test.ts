import { answers, ScriptedServer } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { adapters } from '../src/adapters/index.ts';
import { aRelease, releases } from './support/releases-tool/adapter.ts';
import { Run } from './support/run.ts';

const token = 'a-token-of-release-webhooks';

/** A fetcher with an additional adapter in its index. Its only source is the invented tool. */
async function runWith(tool: ScriptedServer): Promise<Run> {
  const fetcher = {
    GITHUB_REPOS: '',
    GITLAB_PROJECTS: '',
    RELEASES_APPS: 'shop',
    RELEASES_BASE_URL: tool.url,
    RELEASES_TOKEN: 'a-token',
    RELEASES_WEBHOOK_TOKEN: token,
    POLL_INTERVAL_SECONDS: '3600',
  };
  const run = await Run.start({ adapters: [...adapters, releases], fetcher });
  await run.startFetcher();
  await run.quiet();
  return run;
}

async function deliver(run: Run, id: string, release: object, sent = token): Promise<string> {
  const headers = { 'x-releases-token': sent, 'x-releases-delivery': id, 'content-type': 'application/json' };
  const body = JSON.stringify(release);
  const response = await fetch(`${run.fetcherUrl}/webhooks/releases`, { method: 'POST', headers, body });
  return `${response.status} ${response.ok ? await response.text() : ''}`.trim();
}

test('§4: adding a tool with polling and a webhook requires only a folder and a line in the index', async () => {
  const tool = await ScriptedServer.open();
  const polled = [aRelease(), aRelease({ id: 2, app: 'other' }), aRelease({ id: 3, state: 'gone' })];
  tool.script('GET /releases', ...[polled, []].map((list) => answers(200, JSON.stringify(list))));
  const run = await runWith(tool);
  const log = async () => (await run.log()).map((event) => `${event.deployment_id} ${event.service} ${event.status}`);
  expect(await log()).toEqual(['release-1 shop success']);
  expect((await run.health()).sources).toMatchObject([{ id: 'releases', last_outcome: 'ok' }]);

  const release = aRelease({ id: 4, state: 'rolling' });
  expect(await deliver(run, 'one', release, 'another-token-of-webhooks')).toBe('401');
  expect(await deliver(run, 'one', release)).toBe('202 {"accepted":2,"ignored":0}');
  expect(await deliver(run, 'one', { ...release, version: 'x' })).toBe('202 {"accepted":0,"ignored":1}');
  expect((await log()).sort()).toEqual(['release-1 shop success', 'release-4 shop in-progress']);
  await run.pass(2000);
  expect(tool.received.map(({ url }) => url)).toEqual(['/releases?after=0', '/releases?after=3']);
});
