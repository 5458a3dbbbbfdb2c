import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../src/config/config-file.ts';
import { hexHmac, hooked, secret } from './support/webhooks.ts';

const folder = join(import.meta.dirname, '../../../docs');
const page = readFileSync(join(folder, 'fetcher.md'), 'utf8');
/** The configuration files in the documentation, by the name in their first line. */
const examples = new Map(
  [...page.matchAll(/```yaml\n# (\S+)\n([\s\S]*?)```/g)].map(([, name = '', text = '']) => [name, text]),
);

/** The fields of the events that a documented example reads from bodies of its tool, as lines. */
async function told(name: string, headersOf: (body: string) => Record<string, string>, bodies: readonly object[]) {
  const file = examples.get(name)?.replace(/^version: 1\nwebhooks:\n/, '');
  if (file === undefined) throw new Error(`the documentation has no example ${name}`);
  const { send, sink } = await hooked({ file });
  const answers: string[] = [];
  for (const body of bodies.map((one) => JSON.stringify(one))) {
    const { status, json } = await send(name, { headers: headersOf(body), body });
    answers.push(`${status} ${Object.values(json as object).join(' ')}`);
  }
  return { answers, events: sink.events };
}

test('each documented example is a complete configuration file', () => {
  expect([...examples.keys()]).toEqual(['cdevents', 'argocd', 'jenkins', 'azure', 'bitbucket']);
  for (const [name, text] of examples)
    expect(parseConfig(text, 'page', []).webhooks.map((one) => one.name)).toEqual([name]);
});

describe('the documented example for Argo CD', () => {
  const sync = (fields: object) => ({
    ...{
      app: 'payments-api',
      namespace: 'prod',
      phase: 'Running',
      startedAt: '2026-05-04T09:00:00Z',
      finishedAt: null,
    },
    ...{ revision: '9f1c2ab', url: 'https://argocd.example.com/applications/payments-api' },
    ...fields,
  });

  test('a sync is one deployment from its start to its end', async () => {
    const bodies = [
      sync({}),
      sync({ phase: 'Succeeded', finishedAt: '2026-05-04T09:01:30Z' }),
      sync({ phase: 'Terminating' }),
    ];
    const { answers, events } = await told('argocd', () => ({ 'X-Argo-Token': secret }), bodies);
    expect(answers).toEqual(['202 1 0', '202 1 0', '202 0 1']);
    const common = {
      deployment_id: 'argo-payments-api-2026-05-04T09:00:00Z',
      ...{ service: 'payments-api', environment: 'prod', sha: '9f1c2ab' },
      run_url: 'https://argocd.example.com/applications/payments-api',
    };
    expect(events).toEqual([
      { ...common, status: 'in-progress', happened_at: '2026-05-04T09:00:00Z' },
      { ...common, status: 'success', happened_at: '2026-05-04T09:01:30Z' },
    ]);
  });
});

test('Jenkins: the start and end of a stage are one deployment', async () => {
  const build = (status: string, at: number) => ({
    ...{ job: 'payments-api/main', build: '412', url: 'https://ci.example.com/job/payments-api/job/main/412/' },
    ...{
      service: 'payments-api',
      environment: 'staging',
      status,
      at,
      branch: 'main',
      commit: '9f1c2ab',
      version: null,
    },
  });
  const bodies = [build('STARTED', 1_777_885_200_000), build('ABORTED', 1_777_885_260_500), build('NOT_BUILT', 1)];
  const { answers, events } = await told('jenkins', () => ({ 'X-Jenkins-Token': secret }), bodies);
  expect(answers).toEqual(['202 1 0', '202 1 0', '202 0 1']);
  const common = {
    ...{ deployment_id: 'jenkins-payments-api/main-412-staging', service: 'payments-api', environment: 'staging' },
    ...{
      run_url: 'https://ci.example.com/job/payments-api/job/main/412/',
      run_number: '412',
      ref: 'main',
      sha: '9f1c2ab',
    },
  };
  expect(events).toEqual([
    { ...common, status: 'in-progress', happened_at: '2026-05-04T09:00:00.000Z' },
    { ...common, status: 'cancelled', happened_at: '2026-05-04T09:01:00.500Z' },
  ]);
});

test('Azure DevOps: the start and end of a stage are one deployment', async () => {
  const event = (eventType: string, status: string, createdDate: string) => ({
    subscriptionId: '4f6e6328-0251-4814-a009-c01dfa368e3f',
    ...{ notificationId: 1, id: '33433986-7f56-4969-bfd4-3e59774c75ad', eventType, publisherId: 'rm' },
    message: { text: 'Deployment of release Release-7.' },
    resource: {
      environment: {
        ...{ id: 51, releaseId: 7, name: 'prod', status, rank: 2, definitionEnvironmentId: 2 },
        owner: { id: 'd6245f20', displayName: 'Chuck Reinhart' },
        release: { id: 7, name: 'Release-7', url: 'https://vsrm.example.com/Release/releases/7' },
        releaseDefinition: { id: 1, name: 'payments-api', url: 'https://vsrm.example.com/Release/definitions/1' },
      },
      project: { id: '00000000', name: 'Fabrikam' },
    },
    resourceVersion: '3.0-preview.1',
    createdDate,
  });
  const headers = () => ({ Authorization: `Basic ${Buffer.from(`azure:${secret}`).toString('base64')}` });
  const { answers, events } = await told('azure', headers, [
    event('ms.vss-release.deployment-started-event', 'inProgress', '2026-05-04T09:00:00.1234567Z'),
    event('ms.vss-release.deployment-completed-event', 'rejected', '2026-05-04T09:05:00Z'),
    event('ms.vss-release.release-created-event', 'succeeded', '2026-05-04T09:05:00Z'),
  ]);
  expect(answers).toEqual(['202 1 0', '202 1 0', '202 0 1']);
  const common = {
    ...{ deployment_id: 'azure-Fabrikam-51', service: 'payments-api', environment: 'prod' },
    ...{ version: 'Release-7', run_number: '7', actor: 'Chuck Reinhart' },
  };
  expect(events).toEqual([
    { ...common, status: 'in-progress', happened_at: '2026-05-04T09:00:00.123456Z' },
    { ...common, status: 'failure', happened_at: '2026-05-04T09:05:00Z' },
  ]);
});

test('Bitbucket: a build status with the name deploy is a deployment', async () => {
  const status = (fields: object) => ({
    actor: { type: 'user', nickname: 'emma', display_name: 'Emma' },
    repository: { type: 'repository', name: 'payments-api', full_name: 'acme/payments-api', uuid: '{673a6070}' },
    commit_status: {
      ...{ type: 'build', key: 'prod', name: 'deploy', description: '', refname: 'main', state: 'INPROGRESS' },
      ...{ url: 'https://ci.example.com/builds/777', commit: { type: 'commit', hash: '9fec847784abb10b' } },
      ...{ created_on: '2026-05-04T09:00:00.547563+00:00', updated_on: '2026-05-04T09:00:00.547563+00:00' },
      links: {
        commit: { href: 'https://api.bitbucket.org/2.0/repositories/acme/payments-api/commit/9fec847784abb10b' },
      },
      ...fields,
    },
  });
  const { answers, events } = await told('bitbucket', (body) => ({ 'X-Hub-Signature': `sha256=${hexHmac(body)}` }), [
    status({}),
    status({ state: 'SUCCESSFUL', updated_on: '2026-05-04T09:02:00+00:00' }),
    status({ name: 'Unit tests', state: 'SUCCESSFUL' }),
  ]);
  expect(answers).toEqual(['202 1 0', '202 1 0', '202 0 1']);
  const common = {
    deployment_id: 'bitbucket-payments-api-prod-2026-05-04T09:00:00.547563+00:00',
    ...{ service: 'payments-api', environment: 'prod', run_url: 'https://ci.example.com/builds/777', ref: 'main' },
    ...{ sha: '9fec847784abb10b', actor: 'Emma' },
  };
  expect(events).toEqual([
    { ...common, status: 'in-progress', happened_at: '2026-05-04T09:00:00.547563Z' },
    { ...common, status: 'success', happened_at: '2026-05-04T09:02:00Z' },
  ]);
});

test('CDEvents: a structured event is accepted with a Standard Webhooks signature and refused without', async () => {
  const event = {
    ...{ specversion: '1.0', id: 'e-1', source: '/tekton', type: 'dev.cdevents.service.deployed.0.2.0' },
    data: {
      context: { timestamp: '2026-05-04T09:00:00Z' },
      subject: {
        id: 'payments-api',
        content: { environment: { id: 'prod' }, artifactId: 'pkg:oci/payments-api@1.4.2' },
      },
    },
  };
  const timestamp = String(Date.UTC(2026, 4, 4, 9) / 1000);
  const signed = (body: string) => ({
    ...{ 'Content-Type': 'application/cloudevents+json', 'webhook-id': 'm1', 'webhook-timestamp': timestamp },
    'webhook-signature': `v1,${createHmac('sha256', secret).update(`m1.${timestamp}.${body}`).digest('base64')}`,
  });
  const { answers, events } = await told('cdevents', signed, [event]);
  expect([answers, events]).toEqual([
    ['202 1 0'],
    [expect.objectContaining({ service: 'payments-api', environment: 'prod', status: 'success', version: '1.4.2' })],
  ]);
  expect((await told('cdevents', () => ({}), [event])).answers[0]).toContain('401');
});
