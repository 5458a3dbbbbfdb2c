/** Bodies as GitHub sends them; a test states only the members that it needs. */

export type Members = Readonly<Record<string, unknown>>;

export const repo = 'acme/shop';
export const sha = 'a1b2c3d'.padEnd(40, '0');

export function aDeployment(members: Members = {}) {
  return {
    ...{ id: 101, sha, ref: 'main', task: 'deploy', payload: {}, environment: 'staging', transient_environment: false },
    creator: { login: 'alice', type: 'User' },
    created_at: '2026-05-04T08:00:00Z',
    updated_at: '2026-05-04T08:05:00Z',
    ...members,
  };
}

/** A status of job 7 in run 11. */
export function aStatus(members: Members = {}) {
  return {
    ...{ id: 1001, state: 'success', target_url: '', log_url: urlOf(11, 7) },
    creator: { login: 'github-actions[bot]', type: 'Bot' },
    created_at: '2026-05-04T08:05:00Z',
    ...members,
  };
}

export function urlOf(run: number, job?: number): string {
  const url = `https://github.com/${repo}/actions/runs/${run}`;
  return job === undefined ? url : `${url}/job/${job}`;
}

export function aRun(members: Members = {}) {
  return {
    ...{ id: 11, name: 'Deploy', run_attempt: 1, head_sha: sha, path: '.github/workflows/deploy.yml@main' },
    ...{ status: 'completed', conclusion: 'success', created_at: '2026-05-04T07:55:00Z' },
    triggering_actor: { login: 'bob', type: 'User' },
    ...members,
  };
}

export function aJob(members: Members = {}) {
  return { id: 7, name: 'staging', run_attempt: 1, status: 'completed', conclusion: 'success', ...members };
}

export function aFile(text: string) {
  return { type: 'file', encoding: 'base64', content: Buffer.from(text).toString('base64') };
}
