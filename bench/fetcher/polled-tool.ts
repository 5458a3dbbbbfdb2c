import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readConfig, startEmulator } from '@shiplog/ci-emulator';
import type { CiRequest, CiSeedRequest, CiStatus, FetcherHealth, SeedRepo } from '@shiplog/companions';
import { createLogger } from '@shiplog/server';
import { keys, type Stage } from '../harness/stage.ts';
import type { FetcherTask } from './fetcher-process.ts';
import { type Haste, hurriedClock } from './hurried-clock.ts';

const reposPerSeed = 25;
/** The same settings as in `npm run fetcher`. */
const heapLimit = '--max-old-space-size=256';

/** An emulated GitHub in this process and fetchers in separate processes, all with one accelerated clock. */
export interface PolledTool {
  readonly url: string;
  now(): number;
  seed(repositories: Iterable<SeedRepo>): Promise<void>;
  /** Calls the emulator's control API, with POST if there is a body. @throws if the call fails */
  control<Body>(path: string, body?: object): Promise<Body>;
  status(): Promise<CiStatus>;
  requests(): Promise<readonly CiRequest[]>;
  /** Starts a fetcher that posts all repositories of this tool to a stage. The caller must stop it. */
  startFetcher(stage: Stage, settings?: Readonly<Record<string, string>>): Promise<FetcherProcess>;
  close(): Promise<void>;
}

export interface FetcherProcess {
  readonly pid: number;
  readonly url: string;
  health(): Promise<FetcherHealth>;
  close(): Promise<void>;
}

export async function openTool(factor: number, settings: Readonly<Record<string, string>> = {}): Promise<PolledTool> {
  const haste: Haste = { fromMs: Date.now(), factor };
  const now = () => hurriedClock(haste).now().getTime();
  const emulator = await startEmulator({
    config: readConfig({ PORT: '0', SEED_ON_STARTUP: 'false', REQUEST_LOG: '100000', ...settings }),
    logger: createLogger('warn'),
    clock: { kind: 'virtual', now },
  });
  const control = async <Body>(path: string, body?: object): Promise<Body> => {
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${emulator.url}/_ci${path}`, init);
    if (!answer.ok) throw new Error(`the emulator answered ${answer.status} to ${path}: ${await answer.text()}`);
    return (await answer.json()) as Body;
  };
  return {
    url: emulator.url,
    now,
    seed: async (repositories) => {
      const left = [...repositories];
      const anchor = new Date(now()).toISOString();
      while (left.length > 0) {
        const data = { repos: left.splice(0, reposPerSeed), projects: [] };
        const request: CiSeedRequest = { dataset: 'bench', anchor, data };
        await control('/seed', request);
      }
    },
    control,
    status: () => control('/status'),
    requests: async () => (await control<{ items: CiRequest[] }>('/requests')).items,
    startFetcher: (stage, further = {}) =>
      startFetcher({
        haste,
        settings: {
          PORT: '0',
          DASHBOARD_API_BASE_URL: stage.url,
          API_KEY: keys.api,
          CONTROL_API_KEY: keys.control,
          GITHUB_BASE_URL: emulator.url,
          GITHUB_TOKEN: 'bench-token',
          GITHUB_REPOS: 'acme/*',
          ...further,
        },
      }),
    close: () => emulator.stop(),
  };
}

async function startFetcher(task: FetcherTask): Promise<FetcherProcess> {
  const program = fileURLToPath(new URL('./fetcher-process.js', import.meta.url));
  const child = fork(program, [JSON.stringify(task)], { execArgv: [...process.execArgv, heapLimit] });
  const exited = once(child, 'exit');
  const ended = exited.then(([code]) => Promise.reject(new Error(`the fetcher exited with code ${code}`)));
  const [url] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    url: String(url),
    health: async () => (await (await fetch(`${url}/health`)).json()) as FetcherHealth,
    close: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** The current resident memory of a process in MB. */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}
