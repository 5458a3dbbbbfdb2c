import { type ChildProcess, spawn } from 'node:child_process';
import { type Account, runsAsRoot } from './account.ts';
import { DatabaseStartError } from './errors.ts';

/** Starts PostgreSQL's programs as a given user. If the system supports it, they end when this process ends. */
export interface Launcher {
  command(file: string, args: string[]): Command;
  /** Whether the system ends the server when this process is killed. */
  endsWithParent: boolean;
}

export interface Command {
  file: string;
  args: string[];
  uid?: number;
  gid?: number;
  env?: NodeJS.ProcessEnv;
}

/** The result of a program that has ended. */
interface Output {
  /** null if a signal ended it or it could not be started. */
  code: number | null;
  text: string;
  /** The last line of output. Programs report errors there. */
  lastLine: string;
}

const outputMax = 64 * 1024;
/** The folders with setpriv, flock, perl and the shell. */
export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin';

/**
 * Chooses the first launch method with which `postgres --version` runs as the account.
 * @throws DatabaseStartError if none works.
 */
export async function chooseLauncher(options: {
  account: Account;
  postgres: string;
  /** A folder that the loader must search first. */
  libraries?: string;
}): Promise<Launcher> {
  const env = environment(options.libraries);
  const launchers = [withSetpriv(options.account, env), plain(options.account, env)];
  let reason = '';
  for (const launcher of launchers) {
    const answer = await outputOf(launcher.command(options.postgres, ['--version']));
    if (answer.code === 0) return launcher;
    reason = answer.lastLine;
  }
  throw new DatabaseStartError(
    `Can't run ${options.postgres} on this machine as user ${options.account.name} (${reason}). Set DATABASE_URL to a PostgreSQL 14 or newer server.`,
  );
}

/** Runs a program until it ends, and kills it after `withinMs`. A failure is reported in the output, not thrown. */
export async function outputOf(
  command: Command,
  { withinMs = 30_000, ...more }: { withinMs?: number; passedFd?: number; signal?: AbortSignal | undefined } = {},
): Promise<Output> {
  const child = launch(command, { output: 'pipe', timeout: withinMs, ...more });
  let text = '';
  const take = (chunk: string): void => {
    text = (text + chunk).slice(-outputMax);
  };
  child.stdout?.setEncoding('utf8').on('data', take);
  child.stderr?.setEncoding('utf8').on('data', take);
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
    child.once('error', (error) => {
      take(error.message);
      resolve(null);
    });
  });
  return { code, text, lastLine: text.trim().split('\n').at(-1) ?? '' };
}

/**
 * Spawns a program in its own session, because Ctrl-C in a terminal goes to the whole foreground group and the database
 * must outlive the service. It runs in `/`, because its user may not be able to enter our folder. `passedFd` is an open
 * file, which the program gets as file descriptor 3.
 */
export function launch(
  command: Command,
  {
    output,
    passedFd,
    ...ending
  }: { output: 'pipe' | number; passedFd?: number; timeout?: number; signal?: AbortSignal | undefined },
): ChildProcess {
  return spawn(command.file, command.args, {
    cwd: '/',
    detached: true,
    stdio: ['ignore', output, output, ...(passedFd === undefined ? [] : [passedFd])],
    ...(command.env && { env: command.env }),
    ...(command.uid !== undefined && { uid: command.uid }),
    ...(command.gid !== undefined && { gid: command.gid }),
    ...ending,
    killSignal: 'SIGKILL',
  });
}

/** setpriv replaces itself with the program, so the pid stays the same. */
function withSetpriv(account: Account, env: NodeJS.ProcessEnv): Launcher {
  const user = runsAsRoot() ? ['--reuid', `${account.uid}`, '--regid', `${account.gid}`, '--clear-groups'] : [];
  const options = ['--pdeathsig', 'INT', ...user, '--'];
  return {
    endsWithParent: true,
    command: (file, args) => ({ file: 'setpriv', args: [...options, file, ...args], env }),
  };
}

function plain(account: Account, env: NodeJS.ProcessEnv): Launcher {
  const user = runsAsRoot() ? { uid: account.uid, gid: account.gid } : {};
  return { endsWithParent: false, command: (file, args) => ({ file, args, env, ...user }) };
}

/** Our own environment is not passed on, because PGPORT, PGDATA, LANG and TZ would affect initdb and the server. */
function environment(libraries?: string): NodeJS.ProcessEnv {
  const search = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return { PATH: systemPath, LC_ALL: 'C', ...(libraries !== undefined && { [search]: libraries }) };
}
