import type {
  CiDeploymentCreated,
  CiDeploymentRequest,
  CiExport,
  CiRequest,
  CiSeedRequest,
  CiStatus,
  CiStatusRequest,
  SeedData,
  SeedProject,
  SeedProjectDeployment,
  SeedRepo,
} from '@shiplog/companions';
import { type Fetched, fetched, posted, testLogger } from '@shiplog/testing';
import { onTestFinished } from 'vitest';
import type { EmulatorClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { type Emulator, startEmulator } from '../../src/emulator.ts';

/** The body of a refusal. */
export interface Refused {
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
}

export const token = 'a-token';

/** The initial time of a test's clock. */
export const startsAt = '2026-05-04T09:00:00.000Z';

/** An emulator with methods that send requests to it. */
export class TestEmulator {
  readonly url: string;
  readonly #emulator: Emulator;

  constructor(emulator: Emulator) {
    this.url = emulator.url;
    this.#emulator = emulator;
  }

  send<Body>(path: string, init?: RequestInit): Promise<Fetched<Body>> {
    return fetched<Body>(`${this.url}${path}`, init);
  }

  /** Sends a request to GitHub with a token. */
  github<Body>(path: string, headers: Record<string, string> = {}): Promise<Fetched<Body>> {
    return this.send<Body>(path, { headers: { authorization: `Bearer ${token}`, ...headers } });
  }

  /** Sends a request to GitLab with a token. */
  gitlab<Body>(path: string, headers: Record<string, string> = {}): Promise<Fetched<Body>> {
    return this.send<Body>(`/api/v4${path}`, { headers: { 'private-token': token, ...headers } });
  }

  /** Sends no body if `body` is omitted. */
  post<Body>(path: string, body?: object, method?: string): Promise<Fetched<Body>> {
    return posted<Body>(`${this.url}${path}`, body, method);
  }

  /** Calls the control API, which must not refuse the call. */
  async ci<Body>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<Body> {
    const answer = await this.post<Body>(`/_ci${path}`, body, method);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path} returned ${answer.status}: ${JSON.stringify(answer.body)}`);
  }

  status(): Promise<CiStatus> {
    return this.ci('/status');
  }

  seed(request: CiSeedRequest = {}): Promise<Fetched<CiStatus>> {
    return this.post<CiStatus>('/_ci/seed', request);
  }

  deploy(request: Partial<CiDeploymentRequest> = {}): Promise<CiDeploymentCreated> {
    return this.ci('/deployments', { repository: 'acme/shop', environment: 'staging', ...request });
  }

  move(id: number | string, request: CiStatusRequest): Promise<Fetched<{ id: number }>> {
    return this.post(`/_ci/deployments/${id}/statuses`, request);
  }

  advance(ms: number): Promise<unknown> {
    return this.ci('/clock', { advance_ms: ms });
  }

  async requests(query = ''): Promise<readonly CiRequest[]> {
    return (await this.ci<{ items: CiRequest[] }>(`/requests${query}`)).items;
  }

  async exported(): Promise<CiExport['items']> {
    return (await this.ci<CiExport>('/export')).items;
  }

  fault(rule: object): Promise<unknown> {
    return this.ci('/faults', rule);
  }

  deliveriesOver(): Promise<void> {
    return this.#emulator.deliveriesOver();
  }
}

/** Starts an emulator in this process, by default with a stopped clock, one small repository and one small project. */
export async function testEmulator(
  settings: Readonly<Record<string, string>> = {},
  data: SeedData | null = aSeed(),
  clock?: EmulatorClock,
): Promise<TestEmulator> {
  const environment = { PORT: '0', CLOCK: startsAt, SEED_ON_STARTUP: 'false', EMIT_STEP_MS: '0', ...settings };
  const options = { config: readConfig(environment), logger: testLogger(undefined), ...(clock && { clock }) };
  const emulator = await startEmulator(options);
  onTestFinished(emulator.stop);
  const started = new TestEmulator(emulator);
  if (environment.SEED_ON_STARTUP === 'false' && data) await started.ci('/seed', { data });
  return started;
}

export const deployFile = `name: Deploy
on: [push]
jobs:
  build:
    runs-on: ubuntu-latest
  dev:
    name: To dev
    needs: build
    environment: dev
    runs-on: ubuntu-latest
  staging:
    needs: dev
    environment: staging
    runs-on: ubuntu-latest
`;

export function aRepo(fields: Partial<SeedRepo> = {}): SeedRepo {
  return {
    owner: 'acme',
    repo: 'shop',
    workflows: [{ id: 1, name: 'Deploy', path: '.github/workflows/deploy.yml', yaml: deployFile }],
    environments: ['dev', 'staging'],
    deployments: [
      {
        ...{ id: 101, sha: 'a'.repeat(40), ref: 'main', environment: 'dev', creator: 'alice' },
        ...{ elapsed_minutes: 60, run_id: 11, job: 'dev' },
        statuses: [
          { id: 1001, state: 'queued', elapsed_minutes: 60 },
          { id: 1002, state: 'in_progress', elapsed_minutes: 59 },
          { id: 1003, state: 'success', elapsed_minutes: 55 },
        ],
      },
    ],
    ...fields,
  };
}

export function aProject(fields: Partial<SeedProject> = {}): SeedProject {
  const jobs = [
    { name: 'deploy-dev', stage: 'dev' },
    { name: 'deploy-production', stage: 'production' },
  ];
  return {
    id: 7,
    path: 'acme/ledger',
    environments: ['dev', 'production'],
    pipelines: [{ id: 71, stages: ['dev', 'production'], jobs }],
    deployments: [
      {
        ...{ id: 701, iid: 1, environment: 'dev', status: 'success' as const, sha: 'b'.repeat(40), ref: 'main' },
        ...{ user: 'olivia', pipeline: 71, job: 'deploy-dev' },
        ...{ elapsed_minutes: 50, started_at: 49, finished_at: 45 },
      },
    ],
    ...fields,
  };
}

export function aSeed(fields: Partial<SeedData> = {}): SeedData {
  return { repos: [aRepo()], projects: [aProject()], ...fields };
}

/** A seed with one project and these deployments. Each deployment has default values for missing members. */
export function aSeedOfDeployments(...rows: readonly Partial<SeedProjectDeployment>[]): SeedData {
  const [usual] = aProject().deployments;
  if (!usual) throw new Error('the project has a deployment');
  const deployments = rows.map((row, index) => ({ ...usual, id: usual.id + index, iid: usual.iid + index, ...row }));
  return aSeed({ projects: [aProject({ deployments })] });
}
