import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listedEvents, testDatabase, testFolder, testKeys, testService } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { render } from './support/go-template.ts';
import { documentsOf, emptyMock, folder, has, run } from './support/steps.ts';
import { filled, type Texts } from './support/tools.ts';

const [service, environment, version] = ['billing "api" $(id)', 'prod <<x>>', "1.0 'rc'"];
const stored = { service, environment, version };

test('the GitHub action posts from its composite step', async () => {
  const { url, events } = await emptyMock();
  const [action] = documentsOf('github/action.yml') as [{ runs: { steps: [{ env: Texts; run: string }] } }];
  const [step] = action.runs.steps;
  const inputs = { service, environment, version, url, 'api-key': testKeys.api, 'best-effort': 'true' };
  for (const status of ['in-progress', 'failure']) {
    const env = filled(step.env, /\$\{\{ inputs\.([\w-]+) \}\}/g, { ...inputs, status });
    const runner = { GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '7', GITHUB_ACTION_PATH: join(folder, 'github') };
    // GitHub runs `shell: bash` with these options.
    const { code } = await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], {
      ...runner,
      ...env,
    });
    expect(code).toBe(0);
  }
  const posted = await events();
  expect(posted.map(({ status }) => status).sort()).toEqual(['failure', 'in-progress']);
  expect(new Set(posted.map(({ deployment_id }) => deployment_id)).size).toBe(1);
  expect(posted).toMatchObject([stored, stored]);
});

test.each(['bash', 'sh'])('the GitLab component posts before and after the script of a job, in %s', async (shell) => {
  const { url, events } = await emptyMock();
  const [, component] = documentsOf('gitlab/templates/shiplog.yml') as [unknown, { '.shiplog': GitLabJob }];
  const job = component['.shiplog'];
  const inputs = { service, environment, version, url, 'best-effort': 'false' };
  const variables = filled(job.variables, /\$\[\[ inputs\.([\w-]+) \]\]/g, inputs);
  const runner = { GITLAB_CI: 'true', CI_PIPELINE_ID: '9', SHIPLOG_API_KEY: testKeys.api, ...variables };
  for (const [part, CI_JOB_STATUS] of [
    [job.before_script, 'running'],
    [job.after_script, 'failed'],
  ] as const) {
    // The runner stops at a failing line and, in bash, at a failing part of a pipe.
    const options = shell === 'bash' ? ['-eo', 'pipefail'] : ['-e'];
    const body = `${part.join('\n')}\necho "the job goes on"`;
    const { code, stdout } = await run(shell, [...options, '-c', body], { ...runner, CI_JOB_STATUS });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'the job goes on\n' });
  }
  const posted = await events();
  expect(posted.map(({ status }) => status).sort()).toEqual(['failure', 'in-progress']);
  expect(posted).toMatchObject(
    [stored, stored].map((row) => ({ ...row, deployment_id: `gitlab-9-1-${service}-${environment}` })),
  );
});

interface GitLabJob {
  readonly variables: Texts;
  readonly before_script: string[];
  readonly after_script: string[];
}

test('the Azure template posts the result of the job', async () => {
  const { url, events } = await emptyMock();
  const [{ steps, parameters }] = documentsOf('azure/shiplog-post.yml') as [AzureTemplate];
  const [step] = steps;
  const fallbacks = Object.fromEntries(parameters.map(({ name, default: fallback = '' }) => [name, String(fallback)]));
  const given = { ...fallbacks, url, service, environment, version };
  const macros: Texts = { 'Agent.JobStatus': 'SucceededWithIssues', SHIPLOG_API_KEY: testKeys.api };
  const env = filled(
    filled(step.env, /\$\{\{ (?:lower\()?parameters\.(\w+)\)? \}\}/g, given),
    /\$\((Agent\.JobStatus|SHIPLOG_API_KEY)\)/g,
    macros,
  );
  const agent = { TF_BUILD: 'True', BUILD_BUILDID: '5', SYSTEM_COLLECTIONURI: 'https://dev.example.com/acme/' };
  const body = step.inputs.script;
  const { code } = await run('bash', ['--noprofile', '--norc', '-c', body], {
    ...agent,
    ...env,
    SYSTEM_TEAMPROJECT: 'A b',
  });
  expect(code).toBe(0);
  expect(await events()).toMatchObject([
    { ...stored, status: 'success', run_url: 'https://dev.example.com/acme/A%20b/_build/results?buildId=5' },
  ]);
});

interface AzureTemplate {
  readonly parameters: { name: string; default?: unknown }[];
  readonly steps: [{ env: Texts; inputs: { script: string } }];
}

test('the CircleCI orb posts from its command', async () => {
  const { url, events } = await emptyMock();
  const [orb] = documentsOf('circleci/orb.yml') as [{ commands: { post: { steps: [{ run: OrbStep }] } } }];
  const [{ run: step }] = orb.commands.post.steps;
  const given = { url, service, environment, version, status: 'failure', 'best-effort': 'true' };
  const env = filled(step.environment, /<< parameters\.([\w-]+) >>/g, given);
  const runner = { CIRCLECI: 'true', CIRCLE_WORKFLOW_ID: 'w-1', SHIPLOG_API_KEY: testKeys.api };
  expect(await run('sh', ['-c', step.command], { ...runner, ...env })).toMatchObject({ code: 0 });
  expect(await events()).toMatchObject([{ ...stored, status: 'failure' }]);
});

interface OrbStep {
  readonly environment: Texts;
  readonly command: string;
}

test('the Bitbucket pipe derives the status from the exit code of the step', async () => {
  const { url, events } = await emptyMock();
  const bitbucket = {
    BITBUCKET_BUILD_NUMBER: '12',
    BITBUCKET_REPO_FULL_NAME: 'acme/billing',
    BITBUCKET_REPO_SLUG: service,
  };
  const variables = { SHIPLOG_URL: url, SHIPLOG_API_KEY: testKeys.api, ENVIRONMENT: environment, VERSION: version };
  for (const EXIT_CODE of ['', '0', '3']) {
    const { code } = await run(join(folder, 'bitbucket/pipe.sh'), [], { ...bitbucket, ...variables, EXIT_CODE });
    expect(code).toBe(0);
  }
  const posted = await events();
  expect(posted.map(({ status }) => status).sort()).toEqual(['failure', 'in-progress', 'success']);
  expect(posted).toMatchObject([stored, stored, stored]);
});

describe('the templates of Argo CD', () => {
  const [{ data }] = documentsOf('argocd/notifications.yaml') as [{ data: Texts }];
  const operationState = { startedAt: '2026-05-04T09:12:02Z', finishedAt: '2026-05-04T09:13:02Z' };
  const app = {
    metadata: { name: 'billing-prod', labels: { 'shiplog/service': service } },
    spec: { destination: { namespace: 'shop' } },
    status: { operationState, sync: { revision: '9f1c2ab' } },
  };

  test.each([
    ['in-progress', app, { service, environment: 'shop', happened_at: operationState.startedAt }],
    ['success', app, { service, environment: 'shop', happened_at: operationState.finishedAt, sha: '9f1c2ab' }],
    [
      'failure',
      { ...app, metadata: { name: 'billing' }, spec: { destination: {} } },
      { service: 'billing', environment: 'cluster' },
    ],
  ])('post the status %s', async (status, given, expected) => {
    const { url, events } = await emptyMock();
    const webhook = parse(data['service.webhook.shiplog'] ?? '') as { headers: { name: string; value: string }[] };
    const template = parse(data[`template.shiplog-${status}`] ?? '') as { webhook: { shiplog: { body: string } } };
    const headers = webhook.headers.map(
      ({ name, value }) => [name, value.replace('$shiplog-api-key', testKeys.api)] as [string, string],
    );
    const body = render(template.webhook.shiplog.body, { app: given });
    const answer = await fetch(`${url}/api/deployments`, { method: 'POST', headers, body });
    expect(answer.status, await answer.text()).toBe(201);
    expect(await events()).toMatchObject([{ ...expected, status, progress_reporter: 'argocd/notifications' }]);
  });
});

/** The parts of Jenkins that the library uses. */
const jenkins = `
class Steps extends Binding {}
def steps = [
  string: { Map args -> args.variable },
  withCredentials: { List bound, Closure body -> body() },
  libraryResource: { String name -> new File("RESOURCES/\${name}").text },
]
def variables = []
def shell = new GroovyShell(this.class.classLoader)
def library = shell.parse(new File('LIBRARY'))
library.metaClass.string = steps.string
library.metaClass.withCredentials = steps.withCredentials
library.metaClass.libraryResource = steps.libraryResource
library.metaClass.withEnv = { List texts, Closure body -> variables = texts; body() }
library.metaClass.sh = { Map args ->
  def started = ['sh', '-c', args.script].execute(System.getenv().collect { "\${it.key}=\${it.value}".toString() } + variables, null)
  started.waitForProcessOutput(System.out, System.err)
  if (started.exitValue() != 0) throw new RuntimeException("script returned exit code \${started.exitValue()}")
}
def event = [service: 'billing "api"', environment: 'prod', version: '1.0', url: 'URL', parents: ['a', 'b']]
library.call(event) { println 'deploying' }
try { library.call(event + [environment: 'dev']) { throw new RuntimeException('no') } } catch (RuntimeException expected) { println expected.message }
try { library.call(event + [environment: 'qa']) { throw new org.jenkinsci.plugins.workflow.steps.FlowInterruptedException() } } catch (Exception stopped) { println 'stopped' }
`;

test.skipIf(!has('groovy && command -v java'))('the Jenkins step wraps a deployment (needs groovy)', async () => {
  // The mock accepts no cancelled deployments.
  const { url } = await testService({ databaseUrl: (await testDatabase()).url });
  const place = await testFolder();
  const stub = join(place, 'org/jenkinsci/plugins/workflow/steps');
  await mkdir(stub, { recursive: true });
  await writeFile(
    join(stub, 'FlowInterruptedException.groovy'),
    'package org.jenkinsci.plugins.workflow.steps\nclass FlowInterruptedException extends InterruptedException {}\n',
  );
  await cp(join(folder, 'jenkins/vars/shiplog.groovy'), join(place, 'shiplog.groovy'));
  const main = jenkins
    .replace('RESOURCES', join(folder, 'jenkins/resources'))
    .replace('LIBRARY', join(place, 'shiplog.groovy'))
    .replace('URL', url);
  await writeFile(join(place, 'main.groovy'), main);
  const runner = {
    JENKINS_URL: 'https://ci.example.com/',
    JOB_NAME: 'billing',
    BUILD_NUMBER: '4',
    SHIPLOG_API_KEY: testKeys.api,
  };
  const { code, stdout, stderr } = await run('groovy', ['-cp', place, join(place, 'main.groovy')], {
    ...runner,
    HOME: place,
  });
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'deploying\nno\nstopped\n' });
  const posted = [...(await listedEvents(url)).values()].map((event) => `${event.environment} ${event.status}`).sort();
  expect(posted).toEqual([
    'dev failure',
    'dev in-progress',
    'prod in-progress',
    'prod success',
    'qa cancelled',
    'qa in-progress',
  ]);
  expect(await readFile(join(folder, 'jenkins/vars/shiplog.groovy'), 'utf8')).toContain(
    "credentialsId ?: 'shiplog-api-key'",
  );
});
