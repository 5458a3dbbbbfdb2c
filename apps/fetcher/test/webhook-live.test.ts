import type { CiDeliveries, CiTool, CiWebhookRequest } from '@shiplog/companions';
import { type DeploymentEvent, streams } from '@shiplog/contract';
import { StreamReader, sharedService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { Run } from './support/run.ts';

const service = sharedService();

const secrets: Readonly<Record<CiTool, string>> = {
  github: 'a-secret-of-github-webhooks',
  gitlab: 'a-token-of-gitlab-webhooks',
};

/** A fetcher that has polled once and polls again only in an hour, and receives the webhook deliveries of the tool. */
async function waiting(tool: CiTool): Promise<Run> {
  const run = await Run.start({ service });
  await run.startFetcher({
    POLL_INTERVAL_SECONDS: '3600',
    INITIAL_LOOKBACK: '1m',
    GITHUB_WEBHOOK_SECRET: secrets.github,
    GITLAB_WEBHOOK_TOKEN: secrets.gitlab,
  });
  await run.quiet();
  expect((await run.health()).sources.map(({ last_outcome }) => last_outcome)).toEqual(['ok', 'ok']);
  const url = `${run.fetcherUrl}/webhooks/${tool}`;
  await run.ci('/webhooks', { tool, url, secret: secrets[tool] } satisfies CiWebhookRequest);
  return run;
}

/** Resolves with the failure when it arrives on the event stream. */
async function failureOn(stream: StreamReader): Promise<DeploymentEvent> {
  const events = () => stream.frames.map(({ data }) => JSON.parse(data) as DeploymentEvent);
  const failure = () => events().find(({ status }) => status === 'failure');
  await stream.until(() => failure() !== undefined);
  return failure() as DeploymentEvent;
}

/** Emits a failure while `passing` runs; returns its result and the deployment lists requested meanwhile. */
async function emitFailure(run: Run, repository: string, passing: () => Promise<void>) {
  const stream = await StreamReader.open({ url: `${run.serviceUrl}${streams.deployments.path}` });
  const { length: before } = await run.requests();
  const emittedMs = run.clock.now().getTime();
  await run.ci('/emit', { once: 1, repository, environment: 'dev', outcome: 'failure' });
  await passing();
  const event = await failureOn(stream);
  const asked = (await run.requests()).slice(before).map(({ path }) => path);
  return {
    event,
    tookMs: run.clock.now().getTime() - emittedMs,
    lists: asked.filter((path) => path.endsWith('/deployments')),
  };
}

test('the webhook alone reports a failed GitHub deployment on the stream, without delay or list request', async () => {
  const run = await waiting('github');
  const { event, tookMs, lists } = await emitFailure(run, 'demo-org/payments-api', async () => undefined);
  expect(event).toMatchObject({
    service: 'payments-api',
    environment: 'dev',
    progress_reporter: 'dashboard-fetcher/github-actions',
  });
  expect([tookMs, lists]).toEqual([0, []]);
});

test('a failed GitLab deployment reaches the stream within two seconds: its webhook delivery starts a poll of its project', async () => {
  const run = await waiting('gitlab');
  const { event, tookMs, lists } = await emitFailure(run, 'demo-group/ledger', async () => {
    await until(async () => {
      const { items } = await run.ci<CiDeliveries>('/deliveries');
      return items.some(({ status }) => status === 202);
    });
    await run.pass(2000);
  });
  expect(event).toMatchObject({
    service: 'ledger',
    environment: 'dev',
    progress_reporter: 'dashboard-fetcher/gitlab',
  });
  expect([tookMs, new Set(lists)]).toEqual([2000, new Set(['/api/v4/projects/71/deployments'])]);
});
