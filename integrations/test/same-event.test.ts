import { describe, expect, test } from 'vitest';
import { cutWithDigest } from '../../apps/command/src/pipeline/event.ts';
import { tools } from '../../apps/command/src/pipeline/tools.ts';
import { pipelines } from '../../apps/command/test/support/pipelines.ts';
import { run, script } from './support/steps.ts';

const event = ['--service', 'api', '--environment', 'prod', '--status', 'success', '--dry-run'];

describe('the script and the command fill in the same fields from the CI environment', () => {
  // The script doesn't support tools that only the command's env-ci package knows.
  const known = Object.entries(pipelines).filter(([name]) => tools.some(({ tool }) => tool === name));
  test.each(known)('%s', async (_, { env, filled }) => {
    const { code, stdout, stderr } = await run('sh', [script, ...event], env);
    expect(code, stderr).toBe(0);
    const { service, environment, status, happened_at, ...rest } = JSON.parse(stdout);
    expect([service, environment, status]).toEqual(['api', 'prod', 'success']);
    expect(Date.parse(happened_at)).not.toBeNaN();
    expect(rest).toEqual(filled);
  });
});

test('the script and the command cut a long id in the same way', async () => {
  const environment = `prod-${'x'.repeat(59)}`;
  const service = 's'.repeat(128);
  const env = { GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '1658821493', GITHUB_RUN_ATTEMPT: '2' };
  const args = [script, '--service', service, '--environment', environment, '--status', 'success', '--dry-run'];
  const { deployment_id } = JSON.parse((await run('sh', args, env)).stdout);
  expect(deployment_id).toBe(cutWithDigest(`gha-1658821493-2-${service}-${environment}`, 200));
});
