import { type ChildProcess, spawn } from 'node:child_process';
import { type Account, runsAsRoot } from './account.ts';
import { DatabaseStartError } from './errors.ts';

/** How a program of PostgreSQL is started: as which user, and tied to the life of this process where possible. */
export interface Launcher {
  /** Turns a program and its arguments into what has to be spawned. */
  command(file: string, args: string[]): Command;
  /** Whether the system ends the server when this process dies without a word. */
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

/** What a program that ended has said. */
export interface Output {
  /** null when it was ended by a signal or never began. */
  code: number | null;
  text: string;
  /** The last line of the text: where programs put what went wrong. */
  lastLine: string;
}

const outputMax = 64 * 1024;
/** Where systems keep setpriv, flock, perl and the shell. */
export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin';

/**
 * The way to start PostgreSQL as `account`, found by asking the server for its version in that way.
 * Throws DatabaseStartError when the server cannot be run here at all.
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
    `${options.postgres} cannot be run on this machine as user ${options.account.name} (${reason}): set DATABASE_URL to a PostgreSQL 14 or newer server.`,
  );
}

/** Runs a program to its end. It is ended by force after `withinMs`, or by the signal. Its failure is in the answer, not thrown. */
export async function outputOf(
  command: Command,
  { withinMs = 30_000, ...more }: { withinMs?: number; hand?: number; signal?: AbortSignal | undefined } = {},
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
 * Spawns without waiting. In a session of its own: Ctrl-C in a terminal goes to the whole foreground group, and the
 * database has to outlive the service that still writes to it. In `/`, because the folder we are in may be closed to
 * the other user. `hand` is an open file that the program gets beside its output, as its number 3.
 */
export function launch(
  command: Command,
  {
    output,
    hand,
    ...ending
  }: { output: 'pipe' | number; hand?: number; timeout?: number; signal?: AbortSignal | undefined },
): ChildProcess {
  return spawn(command.file, command.args, {
    cwd: '/',
    detached: true,
    stdio: ['ignore', output, output, ...(hand === undefined ? [] : [hand])],
    ...(command.env && { env: command.env }),
    ...(command.uid !== undefined && { uid: command.uid }),
    ...(command.gid !== undefined && { gid: command.gid }),
    ...ending,
    killSignal: 'SIGKILL',
  });
}

/**
 * setpriv replaces itself by the program, so the pid stays. It sets the death signal after it has changed the user,
 * which matters: changing the user clears the signal.
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
 * Nothing of our own environment: PGPORT, PGDATA, LANG or TZ would each change what initdb and the server do, and a
 * cluster must not depend on the terminal it was made in.
 */
function environment(libraries?: string): NodeJS.ProcessEnv {
  const search = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return { PATH: systemPath, LC_ALL: 'C', ...(libraries !== undefined && { [search]: libraries }) };
}
