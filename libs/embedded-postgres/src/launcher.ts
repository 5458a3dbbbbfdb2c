import { type ChildProcess, spawn } from 'node:child_process';
import { type Account, runsAsRoot } from './account.ts';
import { DatabaseStartError } from './errors.ts';

/** How a program of PostgreSQL is started: as which user, and so that it ends with this process where that is possible. */
export interface Launcher {
  /** Turns a program and its arguments into what has to be spawned. */
  command(file: string, args: string[]): Command;
  /** Whether the system ends the server when this process is killed. */
  endsWithParent: boolean;
}

/** What has to be spawned. */
export interface Command {
  file: string;
  args: string[];
  uid?: number;
  gid?: number;
  env?: NodeJS.ProcessEnv;
}

/** What a program that has ended has written. */
export interface Output {
  /** null when it was ended by a signal or could not be started. */
  code: number | null;
  text: string;
  /** The last line of the text, where programs write their error. */
  lastLine: string;
}

const outputMax = 64 * 1024;
/** The folders in which systems have setpriv, flock, perl and the shell. */
export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin';

/**
 * Chooses a way to start PostgreSQL as `account`: the first one in which the server tells its version.
 * Throws DatabaseStartError when the server does not run in any of them.
 */
export async function chooseLauncher(options: {
  account: Account;
  postgres: string;
  /** A folder for the loader to search before the server's own libraries. */
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

/** Runs a program until it ends. It is killed after `withinMs`, or by the signal. Its failure is in the output, not thrown. */
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
 * Spawns a program without waiting for it. It gets its own session, because Ctrl-C in a terminal goes to the whole
 * foreground group and the database must outlive the service, which still writes to it. It runs in `/`, because the
 * other user may not be able to enter our folder. `passedFd` is an open file that the program gets as its number 3.
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

/**
 * setpriv replaces itself with the program, so the pid stays the same. It sets the death signal after it has changed the
 * user, because changing the user clears the signal.
 */
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

/**
 * Nothing of our own environment is passed on: PGPORT, PGDATA, LANG and TZ each change what initdb and the server do, and
 * a cluster must not depend on the terminal in which it was created.
 */
function environment(libraries?: string): NodeJS.ProcessEnv {
  const search = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return { PATH: systemPath, LC_ALL: 'C', ...(libraries !== undefined && { [search]: libraries }) };
}
