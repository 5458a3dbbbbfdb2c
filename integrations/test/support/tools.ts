import { join } from 'node:path';
import { testKeys } from '@shiplog/testing';
import { documentsOf, type Ended, folder, run } from './steps.ts';

export type Texts = Readonly<Record<string, string>>;

/** Fills in the inputs in `env` values as the tool does. */
export function filled(
  env: Readonly<Record<string, unknown>>,
  expression: RegExp,
  inputs: Texts,
): Record<string, string> {
  const fill = (text: string) => text.replace(expression, (_, name: string) => inputs[name] ?? '');
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(String(value))]));
}

export interface Inputs {
  readonly url: string;
  /** In seconds; empty for the default of the integration. */
  readonly timeout: string;
  /** The key of the step; the default is that of the mock. */
  readonly key?: string;
  /** Additional variables of the job. */
  readonly job?: Texts;
}

const [service, environment, status] = ['billing', 'prod', 'success'];

interface GitLabJob {
  readonly variables: Texts;
  readonly before_script: readonly string[];
}

/** A step of each integration that runs a shell, run as by its tool, with best effort (the default). */
export const steps: Readonly<Record<string, (inputs: Inputs) => Promise<Ended>>> = {
  'GitHub action': ({ url, timeout, key = testKeys.api, job: more = {} }) => {
    const [action] = documentsOf('github/action.yml') as [
      { inputs: Record<string, { default?: string }>; runs: { steps: [{ env: Texts; run: string }] } },
    ];
    const fallbacks = Object.entries(action.inputs).map(([name, { default: fallback = '' }]) => [name, fallback]);
    const [step] = action.runs.steps;
    const inputs = { ...Object.fromEntries(fallbacks), service, environment, status, url, timeout };
    const env = filled(step.env, /\$\{\{ inputs\.([\w-]+) \}\}/g, { ...inputs, 'api-key': key });
    const runner = { GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '7', GITHUB_ACTION_PATH: join(folder, 'github'), ...more };
    return run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], { ...runner, ...env });
  },
  'GitLab component': ({ url, timeout, key = testKeys.api, job: more = {} }) => {
    const [{ spec }, component] = documentsOf('gitlab/templates/shiplog.yml') as [
      { spec: { inputs: Record<string, { default?: unknown }> } },
      { '.shiplog': GitLabJob },
    ];
    const fallbacks = Object.entries(spec.inputs).map(([name, { default: fallback = '' }]) => [name, String(fallback)]);
    const job = component['.shiplog'];
    const inputs = { ...Object.fromEntries(fallbacks), service, environment, url, timeout };
    const variables = filled(job.variables, /\$\[\[ inputs\.([\w-]+) \]\]/g, inputs);
    const runner = { GITLAB_CI: 'true', CI_PIPELINE_ID: '9', SHIPLOG_API_KEY: key, ...more, ...variables };
    return run('bash', ['-eo', 'pipefail', '-c', job.before_script.join('\n')], runner);
  },
  'Azure template': ({ url, timeout, key = testKeys.api, job: more = {} }) => {
    const [template] = documentsOf('azure/shiplog-post.yml') as [
      {
        parameters: { name: string; default?: unknown }[];
        steps: [{ env: Texts; inputs: { script: string } }];
      },
    ];
    const [step] = template.steps;
    const fallbacks = template.parameters.map(({ name, default: fallback = '' }) => [name, String(fallback)]);
    const given = { ...Object.fromEntries(fallbacks), url, service, environment, status, timeout };
    const env = filled(step.env, /\$\{\{ (?:lower\()?parameters\.(\w+)\)? \}\}/g, { ...given, apiKey: key });
    const agent = {
      TF_BUILD: 'True',
      BUILD_BUILDID: '5',
      SYSTEM_COLLECTIONURI: 'https://dev.example.com/acme/',
      ...more,
    };
    return run('bash', ['--noprofile', '--norc', '-c', step.inputs.script], { ...agent, ...env });
  },
  'CircleCI orb': ({ url, timeout, key = testKeys.api, job: more = {} }) => {
    const [orb] = documentsOf('circleci/orb.yml') as [
      {
        commands: {
          post: {
            parameters: Record<string, { default?: unknown }>;
            steps: [{ run: { environment: Texts; command: string } }];
          };
        };
      },
    ];
    const { parameters, steps: made } = orb.commands.post;
    const fallbacks = Object.entries(parameters).map(([name, { default: fallback = '' }]) => [name, String(fallback)]);
    const given = { ...Object.fromEntries(fallbacks), url, service, environment, status, timeout };
    const env = filled(made[0].run.environment, /<< parameters\.([\w-]+) >>/g, given);
    const runner = { CIRCLECI: 'true', CIRCLE_WORKFLOW_ID: 'w-1', SHIPLOG_API_KEY: key, ...more };
    return run('sh', ['-c', made[0].run.command], { ...runner, ...env });
  },
  'Bitbucket pipe': ({ url, timeout, key = testKeys.api, job: more = {} }) => {
    const bitbucket = { BITBUCKET_BUILD_NUMBER: '12', BITBUCKET_REPO_FULL_NAME: 'acme/billing', ...more };
    const variables = { SHIPLOG_URL: url, SHIPLOG_API_KEY: key, SERVICE: service, ENVIRONMENT: environment };
    return run(join(folder, 'bitbucket/pipe.sh'), [], { ...bitbucket, ...variables, STATUS: status, TIMEOUT: timeout });
  },
  // Uses the variables that vars/shiplog.groovy sets; the test of the library itself requires Groovy.
  'Jenkins library': ({ url, timeout, key = testKeys.api, job: more = {} }) => {
    const groovy = { SHIPLOG_VERSION: '', SHIPLOG_DEPLOYMENT_ID: '', SHIPLOG_PARENTS: '', SHIPLOG_TIMEOUT: timeout };
    const event = { SHIPLOG_SERVICE: service, SHIPLOG_ENVIRONMENT: environment, SHIPLOG_STATUS: status };
    const runner = { JENKINS_URL: 'https://ci.example.com/', JOB_NAME: 'billing', BUILD_NUMBER: '4', ...more };
    const settings = { ...groovy, ...event, ...runner, SHIPLOG_BEST_EFFORT: 'true', SHIPLOG_API_KEY: key };
    return run('sh', [join(folder, 'jenkins/resources/shiplog-post.sh')], {
      ...settings,
      ...(url && { SHIPLOG_URL: url }),
    });
  },
};
