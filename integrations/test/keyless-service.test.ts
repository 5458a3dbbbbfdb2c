import { listedEvents } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { testEmulator } from '../../apps/ci-emulator/test/support/emulator.ts';
import { call } from '../../apps/command/test/support/call.ts';
import { accessService } from '../../apps/service/test/support/access.ts';
import { run, script } from './support/steps.ts';

const audience = 'https://shiplog.example';

/** A service that accepts the jobs of one repository of an emulator, and what such a job has in its environment. */
async function trusting() {
  const emulator = await testEmulator();
  const { url } = await accessService(`
issuers:
  - { name: github, kind: github, issuer: "${emulator.url}/_services/token" }
pipelines:
  - { issuer: github, claims: { repository: acme/shop }, may: { services: ["shop*"], environments: claimed } }
`);
  const job = {
    ...{ GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '11', SHIPLOG_URL: url, SHIPLOG_AUDIENCE: audience },
    ACTIONS_ID_TOKEN_REQUEST_URL: `${emulator.url}/_ci/id-token?api-version=2.0&repository=acme/shop&environment=dev`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-runner',
  };
  return { emulator, url, job };
}

test('access §3.9: the service accepts the tokens of the command and of the script, also for the check before a retry', async () => {
  const { url, job } = await trusting();
  const env = { ...job, SHIPLOG_API_KEY: '' };
  const event = ['--service', 'shop', '--environment', 'dev'];
  const repeated = ['--status', 'success', '--deployment-id', 'd-1', '--happened-at', '2026-05-04T09:12:02Z'];
  expect(await call(['run', ...event, '--', 'true'], { env })).toMatchObject({ code: 0 });
  for (const text of ['is stored as', 'was already in the log']) {
    const { code, out } = await call(['post', ...event, ...repeated], { env });
    expect([code, out]).toEqual([0, expect.stringContaining(text)]);
  }
  expect(await run('sh', [script, ...event, ...repeated], job)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('the log already has this event'),
  });
  const posted = await run('sh', [script, ...event, '--status', 'failure'], job);
  expect(posted).toMatchObject({ code: 0, stderr: expect.stringContaining('posted failure') });
  expect(await listedEvents(url)).toHaveProperty('size', 4);
});

test('access §3.8: a refusal by the service says why, for the command and for the script', async () => {
  const { job } = await trusting();
  const elsewhere = ['--service', 'shop', '--environment', 'prod', '--status', 'success'];
  const { code, err } = await call(['post', ...elsewhere], { env: { ...job, SHIPLOG_API_KEY: '' } });
  expect([code, err]).toEqual([3, expect.stringContaining('refused the request (403)')]);
  expect(await run('sh', [script, ...elsewhere], job)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('refused the event with 403'),
  });
  const foreign = { ...job, SHIPLOG_AUDIENCE: 'https://another.example', SHIPLOG_API_KEY: '' };
  const refused = await call(['post', ...elsewhere], { env: foreign });
  expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('(401)')]);
  expect(refused.err).not.toContain('SHIPLOG_API_KEY');
});
