import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints, keyHeaders } from '@shiplog/contract';
import { requireProgram, run } from './programs.ts';
import { keys, type Stage } from './stage.ts';

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** The header that carries a credential, and its value. */
export type Credential = readonly [header: string, value: string];

/**
 * Each post is a different current event of a new deployment: 100 services, 5 environments, 3 statuses, 40 actors. The
 * credentials are used in turn.
 */
const postScript = (credentials: readonly Credential[]) => `
local credentials = { ${credentials.map(([name, value]) => `{ ["${name}"] = "${value}" }`).join(', ')} }
local n = 0
local run = os.time()
local statuses = { "in-progress", "success", "failure" }
request = function()
  n = n + 1
  local body = string.format('{"deployment_id":"gha-%d-%d","service":"service-%d","environment":"env-%d","version":"1.2.%d","status":"%s","happened_at":"%s","run_url":"https://ci.example.com/runs/%d","actor":"actor-%d","ref":"refs/heads/main","sha":"0123456789abcdef"}',
    run, math.floor(n / 2), n % 100, n % 5, n % 50, statuses[n % 3 + 1], os.date("!%Y-%m-%dT%H:%M:%SZ"), n, n % 40)
  return wrk.format("POST", "${endpoints.appendDeployment.path}", credentials[n % #credentials + 1], body)
end
`;

/** Posts events over this many connections, by default with the shared key. Every response must be 201. */
export async function postLoad(
  stage: Stage,
  connections: number,
  seconds: number,
  credentials: readonly Credential[] = [[keyHeaders.api, keys.api]],
): Promise<LoadResult> {
  const script = join(tmpdir(), `shiplog-bench-${process.pid}.lua`);
  await writeFile(script, postScript(credentials));
  return wrk([`-c${connections}`, `-d${seconds}s`, '-s', script, stage.url]);
}

/** Repeats one GET over this many connections. */
export function getLoad(
  url: string,
  options: { connections: number; seconds: number; headers?: Readonly<Record<string, string>> },
): Promise<LoadResult> {
  const headers = Object.entries(options.headers ?? {}).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  return wrk([`-c${options.connections}`, `-d${options.seconds}s`, ...headers, url]);
}

async function wrk(parameters: readonly string[]): Promise<LoadResult> {
  const output = await run(requireProgram('wrk'), ['-t1', '--latency', ...parameters]);
  if (/Non-2xx or 3xx|Socket errors/.test(output)) throw new Error(`errors occurred under load:\n${output}`);
  const figure = (pattern: RegExp) => pattern.exec(output)?.[1] ?? 'nothing';
  return {
    perSecond: Number(figure(/Requests\/sec:\s+([\d.]+)/)),
    p50Ms: milliseconds(figure(/^\s*50%\s+(\S+)/m)),
    p99Ms: milliseconds(figure(/^\s*99%\s+(\S+)/m)),
    maxMs: milliseconds(figure(/Latency(?:\s+\S+){2}\s+(\S+)/)),
  };
}

function milliseconds(text: string): number {
  const [, value, unit = ''] = /^([\d.]+)(us|ms|s)$/.exec(text) ?? [];
  return Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN);
}

/** Transactions per second of one pgbench script. */
export async function pgbench(stage: Stage, script: string, clients: number, seconds: number): Promise<number> {
  const file = join(tmpdir(), `shiplog-bench-${process.pid}.sql`);
  await writeFile(file, script);
  const fixed = ['-n', '-M', 'prepared', '-j', '1', '-c', String(clients), '-T', String(seconds), '-f', file];
  const output = await run(requireProgram('pgbench'), [...fixed, ...stage.pgbench]);
  return Number(/tps = ([\d.]+)/.exec(output)?.[1]);
}
