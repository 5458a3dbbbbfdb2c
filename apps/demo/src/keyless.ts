import { createHash } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@shiplog/client';
import {
  type CiToken,
  type CiTokenRequest,
  type CiTool,
  emulatorEndpoints,
  githubHtmlUrl,
  gitlabHtmlUrl,
} from '@shiplog/companions';
import { type DeploymentEventIngest, headerNames, type Status } from '@shiplog/contract';
import { accessFileName, accessFileOf } from './access-file.ts';
import { readJson, readText } from './calls.ts';
import { emulatorName, serviceName } from './programs.ts';
import type { Screen } from './screen.ts';

export interface KeylessOptions {
  readonly service: string;
  readonly emulator: string;
  /** The folder of the service's access file. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

const pollMs = 100;
const minuteMs = 60_000;

/** A service that no tool deploys and that posts from its own pipeline, without a key. */
interface Pipeline {
  readonly tool: CiTool;
  readonly repository: string;
  /** Belongs to the repository by demo/catalog.yaml. */
  readonly service: string;
  readonly version: string;
  readonly environments: readonly string[];
}

const pipelines: readonly Pipeline[] = [
  {
    tool: 'github',
    repository: 'demo-org/payments-api',
    service: 'payments-worker',
    version: '1.9.0',
    environments: ['dev', 'staging', 'prod'],
  },
  {
    tool: 'gitlab',
    repository: 'demo-group/ledger',
    service: 'ledger-worker',
    version: '0.4.2',
    environments: ['dev', 'staging'],
  },
];

/**
 * Posts events with identity tokens of the CI emulator, one token for each, as jobs without a key do.
 * @throws StartError if a program refuses.
 */
export async function postKeyless(options: KeylessOptions, screen: Screen): Promise<void> {
  await trustEmulator(options);
  let posted = 0;
  for (const pipeline of pipelines) {
    let parent: string | undefined;
    for (const [turn, environment] of pipeline.environments.entries()) {
      const startedAt = Date.now() - (pipeline.environments.length - turn) * 10 * minuteMs;
      for (const [status, at] of [
        ['in-progress', startedAt] as const,
        ['success', startedAt + 4 * minuteMs] as const,
      ]) {
        await postOne(options, pipeline, { environment, status, at, parent });
        posted += 1;
        screen.progress(`  pipelines: ${posted} events without a key`);
      }
      parent = deploymentId(pipeline, environment);
    }
  }
  screen.line(`  pipelines: ${posted} events without a key`);
}

/** Names the emulator as an issuer in the access file, and waits until the service has read it. */
async function trustEmulator({ service, emulator, folder, signal }: KeylessOptions): Promise<void> {
  const text = accessFileOf(service, emulator);
  const draft = join(folder, `.${accessFileName}`);
  await writeFile(draft, text);
  await rename(draft, join(folder, accessFileName));
  const digest = createHash('sha256').update(text).digest('hex');
  const metrics = { program: serviceName, method: 'GET', url: `${service}/metrics`, signal } as const;
  while (!(await readText(metrics)).includes(`shiplog_access_info{digest="${digest}"`)) {
    await delay(pollMs, undefined, { signal });
  }
}

interface Step {
  readonly environment: string;
  readonly status: Status;
  readonly at: number;
  readonly parent: string | undefined;
}

async function postOne({ service, emulator, signal }: KeylessOptions, pipeline: Pipeline, step: Step): Promise<void> {
  const { tool, repository } = pipeline;
  const { environment, status, at, parent } = step;
  const body: CiTokenRequest = { tool, repository, environment, audience: service };
  const { method, path } = emulatorEndpoints.createCiToken;
  const { token, claims } = await readJson<CiToken>({
    ...{ program: emulatorName, method, url: `${emulator}${path}`, body, signal },
  });
  const event: DeploymentEventIngest = {
    ...{ deployment_id: deploymentId(pipeline, environment), service: pipeline.service, environment, status },
    ...{ version: pipeline.version, happened_at: new Date(at).toISOString() },
    ...runOf(tool, claims),
    ...(parent !== undefined && { parent_deployments: [parent] }),
  };
  const client = createClient({
    baseUrl: service,
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } }),
  });
  const headers = { [headerNames.progressReporter]: `shiplog-post/${tool === 'github' ? 'gha' : 'gitlab'}` };
  await client.appendDeployment({ body: event, headers, signal });
}

function deploymentId({ tool, service }: Pipeline, environment: string): string {
  return `${tool === 'github' ? 'gha' : 'gitlab'}-keyless-1-${service}-${environment}`;
}

/** The run of a job, as the job's token describes it. */
function runOf(tool: CiTool, claims: Readonly<Record<string, unknown>>) {
  const { sha, ref } = claims;
  const run =
    tool === 'github'
      ? {
          run_url: `${githubHtmlUrl}/${claims.repository}/actions/runs/${claims.run_id}`,
          run_number: String(claims.run_number),
          actor: String(claims.actor),
        }
      : {
          run_url: `${gitlabHtmlUrl}/${claims.project_path}/-/jobs/${claims.job_id}`,
          run_number: String(claims.pipeline_id),
          actor: String(claims.user_login),
        };
  return { ...run, sha: String(sha), ref: String(ref) };
}
