import type { Environment } from '../context.ts';

/** The facts about a run in a CI environment. Unknown fields are absent. */
export interface PipelineFacts {
  /** The display name of the tool, such as `GitHub Actions`. */
  readonly tool: string;
  readonly prefix: string;
  /** The run id, unique among all runs of the tool, so that runs of two projects never share a deployment. */
  readonly runId?: string | undefined;
  /** The attempt number. Tools that retry a run under another id have only the first attempt. */
  readonly attempt?: string | undefined;
  readonly run_url?: string | undefined;
  readonly run_number?: string | undefined;
  readonly actor?: string | undefined;
  readonly ref?: string | undefined;
  readonly sha?: string | undefined;
}

interface Tool {
  readonly tool: string;
  readonly prefix: string;
  /** A variable that only this tool sets. */
  readonly mark: string;
  readonly facts: (env: Environment) => Omit<PipelineFacts, 'tool' | 'prefix'>;
}

/** Concatenates variables and texts. Returns `undefined` unless all variables are set. */
function whole(env: Environment, ...parts: readonly string[]): string | undefined {
  const values = parts.map((part) => (/^[A-Z_]+$/.test(part) ? env[part] : part));
  return values.every((value) => value) ? values.join('') : undefined;
}

function first(env: Environment, ...names: readonly string[]): string | undefined {
  return names.map((name) => env[name]).find((value) => value);
}

export const tools: readonly Tool[] = [
  {
    tool: 'GitHub Actions',
    prefix: 'gha',
    mark: 'GITHUB_ACTIONS',
    facts: (env) => ({
      runId: env.GITHUB_RUN_ID,
      attempt: env.GITHUB_RUN_ATTEMPT,
      run_url: whole(env, 'GITHUB_SERVER_URL', '/', 'GITHUB_REPOSITORY', '/actions/runs/', 'GITHUB_RUN_ID'),
      run_number: env.GITHUB_RUN_NUMBER,
      // The actor is the person who reruns a workflow, not the person who started it first.
      actor: first(env, 'GITHUB_TRIGGERING_ACTOR', 'GITHUB_ACTOR'),
      ref: env.GITHUB_REF,
      sha: env.GITHUB_SHA,
    }),
  },
  {
    tool: 'GitLab CI',
    prefix: 'gitlab',
    mark: 'GITLAB_CI',
    facts: (env) => ({
      runId: env.CI_PIPELINE_ID,
      run_url: first(env, 'CI_PIPELINE_URL', 'CI_JOB_URL'),
      run_number: env.CI_PIPELINE_IID,
      actor: first(env, 'GITLAB_USER_LOGIN', 'GITLAB_USER_NAME'),
      ref: env.CI_COMMIT_REF_NAME,
      sha: env.CI_COMMIT_SHA,
    }),
  },
  {
    tool: 'Jenkins',
    prefix: 'jenkins',
    mark: 'JENKINS_URL',
    facts: (env) => ({
      // Build numbers are unique only within a job.
      runId: whole(env, 'JOB_NAME', '#', 'BUILD_NUMBER') ?? env.BUILD_TAG,
      run_url: env.BUILD_URL,
      run_number: env.BUILD_NUMBER,
      actor: first(env, 'BUILD_USER_ID', 'BUILD_USER', 'CHANGE_AUTHOR'),
      ref: first(env, 'TAG_NAME', 'GIT_BRANCH', 'BRANCH_NAME'),
      sha: env.GIT_COMMIT,
    }),
  },
  {
    tool: 'Azure Pipelines',
    prefix: 'azdo',
    mark: 'TF_BUILD',
    facts: (env) => ({
      runId: env.BUILD_BUILDID,
      attempt: env.SYSTEM_STAGEATTEMPT,
      run_url: azureUrl(env),
      run_number: env.BUILD_BUILDNUMBER,
      actor: env.BUILD_REQUESTEDFOR,
      ref: env.BUILD_SOURCEBRANCH,
      sha: env.BUILD_SOURCEVERSION,
    }),
  },
  {
    tool: 'CircleCI',
    prefix: 'circleci',
    mark: 'CIRCLECI',
    facts: (env) => ({
      runId: first(env, 'CIRCLE_WORKFLOW_ID', 'CIRCLE_BUILD_NUM'),
      run_url: env.CIRCLE_BUILD_URL,
      run_number: env.CIRCLE_BUILD_NUM,
      actor: env.CIRCLE_USERNAME,
      ref: first(env, 'CIRCLE_TAG', 'CIRCLE_BRANCH'),
      sha: env.CIRCLE_SHA1,
    }),
  },
  {
    tool: 'Bitbucket Pipelines',
    prefix: 'bitbucket',
    mark: 'BITBUCKET_BUILD_NUMBER',
    facts: (env) => ({
      runId: whole(env, 'BITBUCKET_REPO_FULL_NAME', '#', 'BITBUCKET_BUILD_NUMBER') ?? env.BITBUCKET_PIPELINE_UUID,
      attempt: env.BITBUCKET_STEP_RUN_NUMBER,
      run_url: whole(env, 'BITBUCKET_GIT_HTTP_ORIGIN', '/pipelines/results/', 'BITBUCKET_BUILD_NUMBER'),
      run_number: env.BITBUCKET_BUILD_NUMBER,
      actor: env.BITBUCKET_STEP_TRIGGERER_UUID,
      ref: first(env, 'BITBUCKET_TAG', 'BITBUCKET_BRANCH'),
      sha: env.BITBUCKET_COMMIT,
    }),
  },
  {
    tool: 'Buildkite',
    prefix: 'buildkite',
    mark: 'BUILDKITE',
    facts: (env) => ({
      runId: env.BUILDKITE_BUILD_ID,
      attempt: attemptAfter(env.BUILDKITE_RETRY_COUNT),
      run_url: env.BUILDKITE_BUILD_URL,
      run_number: env.BUILDKITE_BUILD_NUMBER,
      actor: first(env, 'BUILDKITE_UNBLOCKER', 'BUILDKITE_BUILD_CREATOR', 'BUILDKITE_BUILD_AUTHOR'),
      ref: first(env, 'BUILDKITE_TAG', 'BUILDKITE_BRANCH'),
      // Before the checkout, Buildkite reports HEAD instead of a commit.
      sha: env.BUILDKITE_COMMIT === 'HEAD' ? undefined : env.BUILDKITE_COMMIT,
    }),
  },
  {
    tool: 'TeamCity',
    prefix: 'teamcity',
    mark: 'TEAMCITY_VERSION',
    facts: (env) => ({
      runId: whole(env, 'TEAMCITY_PROJECT_NAME', '/', 'TEAMCITY_BUILDCONF_NAME', '#', 'BUILD_NUMBER'),
      run_url: env.BUILD_URL,
      run_number: env.BUILD_NUMBER,
      sha: env.BUILD_VCS_NUMBER,
    }),
  },
  {
    tool: 'Drone',
    prefix: 'drone',
    mark: 'DRONE',
    facts: (env) => ({
      runId: whole(env, 'DRONE_REPO', '#', 'DRONE_BUILD_NUMBER'),
      run_url: env.DRONE_BUILD_LINK,
      run_number: env.DRONE_BUILD_NUMBER,
      // For a build that wasn't started by hand, the trigger is @hook or @cron.
      actor: env.DRONE_BUILD_TRIGGER?.startsWith('@') ? env.DRONE_COMMIT_AUTHOR : env.DRONE_BUILD_TRIGGER,
      ref: env.DRONE_COMMIT_REF,
      sha: env.DRONE_COMMIT_SHA,
    }),
  },
];

function azureUrl(env: Environment): string | undefined {
  const collection = first(env, 'SYSTEM_COLLECTIONURI', 'SYSTEM_TEAMFOUNDATIONCOLLECTIONURI');
  const { SYSTEM_TEAMPROJECT: project, BUILD_BUILDID: id } = env;
  if (!collection || !project || !id) return undefined;
  return `${collection.replace(/\/$/, '')}/${encodeURIComponent(project)}/_build/results?buildId=${encodeURIComponent(id)}`;
}

/** The attempt number, starting from 1, as other tools count attempts. */
function attemptAfter(retries: string | undefined): string | undefined {
  return /^\d{1,9}$/.test(retries ?? '') ? String(Number(retries) + 1) : undefined;
}
