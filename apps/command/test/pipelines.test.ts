import { describe, expect, test } from 'vitest';
import { call } from './support/call.ts';
import { pipelines } from './support/pipelines.ts';

const event = ['--service', 'api', '--environment', 'prod', '--status', 'success'];

/** The event that would be posted, without its time and the fields from options. */
async function filled(env: Readonly<Record<string, string>>, ...more: string[]): Promise<Record<string, string>> {
  const { code, out, err } = await call(['post', ...event, '--dry-run', ...more], { env });
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
  const { service: _, environment: __, status: ___, happened_at: ____, ...rest } = JSON.parse(out);
  return rest;
}

describe('fields are filled in from the CI environment', () => {
  test.each(Object.entries(pipelines))(
    'the event of a run in %s has the fields of its variables',
    async (tool, { env, filled: wanted }) => {
      if (wanted.deployment_id === undefined)
        return expect(await filled(env, '--deployment-id', 'd')).toMatchObject(wanted);
      expect(await filled(env)).toEqual(wanted);
      const { err } = await call(['post', ...event, '--dry-run'], { env });
      expect(err).toBe(`Filled in from ${tool}: ${Object.keys(wanted).join(', ')}.\n`);
    },
  );

  test('options override the fields from the CI environment', async () => {
    const env = pipelines['GitHub Actions']?.env ?? {};
    const given = await filled(
      env,
      '--deployment-id',
      'mine',
      '--actor',
      'carol',
      '--sha',
      'abc',
      '--parent',
      'p',
      'q',
    );
    expect(given).toMatchObject({ deployment_id: 'mine', actor: 'carol', sha: 'abc', parent_deployments: ['p', 'q'] });
  });

  test('null in a file overrides a field from the CI environment', async () => {
    const { env = {} } = pipelines.Drone ?? {};
    const line = JSON.stringify({ service: 'api', environment: 'prod', status: 'queued', actor: null });
    const { out } = await call(['post', '--batch', '--dry-run'], { env, stdin: line });
    expect(JSON.parse(out)).toMatchObject({ actor: null, sha: pipelines.Drone?.filled.sha });
  });

  test('outside CI no field is filled in, and the deployment id for further events is printed', async () => {
    const { code, out, err } = await call(['post', ...event, '--dry-run']);
    const { deployment_id } = JSON.parse(out);
    expect([code, deployment_id]).toEqual([0, expect.stringMatching(/^local-[0-9a-f-]{36}$/)]);
    expect(err).toBe(
      `No --deployment-id was given. To add events to this deployment, pass --deployment-id ${deployment_id}.\n`,
    );
  });

  test('outside CI a batch has one deployment id per slot', async () => {
    const line = (environment: string, status: string) => JSON.stringify({ service: 'api', environment, status });
    const stdin = [line('prod', 'queued'), line('dev', 'success'), line('prod', 'success')].join('\n');
    const { out, err } = await call(['post', '--batch', '--dry-run'], { stdin });
    const [first, second, third] = out
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text).deployment_id);
    expect([first === third, first === second]).toEqual([true, false]);
    expect(err.trim().split('\n')).toHaveLength(2);
  });
});

describe('values from the CI environment that do not fit', () => {
  const github = { GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '1' };

  test('a long deployment id is cut and ends with a digest, so that two long names stay distinct', async () => {
    const ids = await Promise.all(
      ['a', 'b'].map(async (end) => {
        const { deployment_id = '' } = await filled(
          github,
          '--environment',
          `${'e'.repeat(63)}${end}`,
          '--service',
          '😀'.repeat(128),
        );
        return deployment_id;
      }),
    );
    expect(ids.map((id) => [...id].length)).toEqual([200, 200]);
    expect(new Set(ids).size).toBe(2);
    expect(ids[0]).toMatch(/^gha-1-1-😀+.*~[0-9a-f]{12}$/u);
  });

  test('hostile texts are cut to the limits, and an invalid address is left out', async () => {
    const ref = `refs/heads/$(rm -rf ~)\u202e"; drop table\n${'x'.repeat(400)}`;
    const env = {
      ...github,
      GITHUB_REF: ref,
      GITHUB_ACTOR: '😀'.repeat(300),
      GITHUB_SERVER_URL: 'javascript:alert(1)',
      GITHUB_REPOSITORY: 'a b',
    };
    const given = await filled(env);
    expect(given).toEqual({ deployment_id: 'gha-1-1-api-prod', ref: ref.slice(0, 256), actor: '😀'.repeat(128) });
  });

  test('a file named by a CI variable is ignored if it is not JSON', async () => {
    const env = { CI: 'true', VERCEL: '1', GITHUB_EVENT_PATH: import.meta.filename };
    expect(await filled(env, '--deployment-id', 'd')).toMatchObject({ deployment_id: 'd' });
  });

  test('invalid options are refused, with every fault and its option', async () => {
    const given = [
      '--service',
      's'.repeat(129),
      '--run-url',
      'no url',
      '--happened-at',
      'yesterday',
      '--version',
      'v'.repeat(51),
    ];
    const { code, err } = await call(['post', ...event, '--dry-run', '--deployment-id', 'd', ...given]);
    expect(code).toBe(2);
    expect(err.split('\n').map((line) => line.trim().split(':')[0])).toEqual(
      expect.arrayContaining(['--service', '--run-url', '--happened-at', '--version']),
    );
  });
});
