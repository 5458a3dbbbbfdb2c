import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from '../../src/index.ts';
import { asInContainer } from './container.ts';

/** The reports of a service in a separate process about its database; each line has one member. */
export interface Lines {
  started?: Pick<EmbeddedPostgres, 'connection' | 'dataDir' | 'version' | 'pid'>;
  refused?: { name: string; message: string };
  exit?: string;
  log?: string;
}

export interface Service {
  pid: number;
  /** Waits for the next line that has one of these fields. */
  until(...fields: (keyof Lines)[]): Promise<Lines>;
  /** Ends the service's input, which makes it stop the database; resolves when the process has ended. */
  end(): Promise<void>;
  kill(): Promise<void>;
}

/** Starts a service in a second Node process. It runs the built files, because Node 20 can't run TypeScript. */
export function spawnService(
  options: Pick<EmbeddedPostgresOptions, 'dataDir' | 'rootDir' | 'binaries'> & { umask?: number },
  how: { script?: string; uid?: number; gid?: number; env?: NodeJS.ProcessEnv; inContainer?: boolean } = {},
): Service {
  const { script = fileURLToPath(new URL('./service.mjs', import.meta.url)), env = process.env, ...rest } = how;
  const { inContainer, ...user } = rest;
  const [file = '', ...args] = [...(inContainer ? asInContainer : []), process.execPath, script];
  const child = spawn(file, [...args, JSON.stringify(options)], {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
    ...user,
  });
  const closed = once(child, 'close');
  const said: Lines[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => said.push(JSON.parse(line)));
  return {
    pid: child.pid ?? 0,
    until: async (...fields) => {
      const found = () => said.find((line) => fields.some((field) => field in line));
      while (!found()) {
        const more = await Promise.race([once(lines, 'line').then(() => true), closed.then(() => false)]);
        if (!more && !found()) throw new Error(`ended without ${fields}: ${JSON.stringify(said)}`);
      }
      return found() ?? {};
    },
    end: async () => {
      child.stdin.end();
      await closed;
    },
    kill: () => kill(child, closed),
  };
}

async function kill(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  child.kill('SIGKILL');
  await closed;
}
