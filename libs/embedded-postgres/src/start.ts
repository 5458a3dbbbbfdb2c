import { runsAsRoot } from './account.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { ensureCluster, superuser } from './cluster.ts';
import { asStartError } from './errors.ts';
import { prepareDataDir } from './folder.ts';
import { install } from './installation.ts';
import { chooseLauncher } from './launcher.ts';
import { claimOwner } from './owner.ts';
import { choosePlace, type Place, shortHash } from './place.ts';
import { type Connection, untilReady } from './ready.ts';
import { type Server, serverSettings, spawnServer } from './server.ts';
import { makeSocketDir, port, type SocketDir } from './socket-dir.ts';
import { replaceStaleServer } from './stale-server.ts';
import { Supervisor } from './supervisor.ts';

export const defaultDatabase = 'shiplog';
export const defaultRootDir = '/var/lib/shiplog';

export interface EmbeddedPostgresOptions {
  /** The data directory. Created if absent. */
  dataDir: string;
  /** The name of the database. Created if absent. "shiplog" by default. */
  database?: string;
  /** Server settings. Settings that the supervisor relies on can't be changed. */
  settings?: Record<string, string>;
  /** A folder with bin/postgres and bin/initdb of another PostgreSQL, 14 or newer. */
  binaries?: string;
  /** The folder for root's copies, if the database's user can't reach the originals; "/var/lib/shiplog" by default. */
  rootDir?: string;
  /** How many times per minute to restart a server that exits unexpectedly. It keeps its socket. 0 by default. */
  restartsPerMinute?: number;
  log?: (line: string) => void;
  /** Aborting this signal cancels and undoes the start. */
  signal?: AbortSignal | undefined;
}

/** A running database server that belongs to this process. */
export interface EmbeddedPostgres {
  connection: Connection;
  /** If root started the server, this folder can differ from the requested one. */
  dataDir: string;
  /** "18.4". */
  version: string;
  readonly pid: number;
  /** Resolves when the server has ended and its files outside the data directory are removed. */
  stop(): Promise<void>;
  /** Calls the listener with a reason once the server has exited unexpectedly and is not restarted. */
  onExit(listener: (detail: string) => void): void;
  /** Calls the listener with a reason whenever the server has exited unexpectedly and will be restarted. */
  onRestart(listener: (detail: string) => void): void;
}

/**
 * Starts the embedded PostgreSQL on a data directory, cleaning up after an earlier run that crashed. Resolves when the
 * server accepts connections. On Linux the server also ends when the thread that started it dies. This process stays
 * alive until the server has ended.
 * @throws DatabaseStartError for anything that the user must correct. A canceled start rejects with the signal's reason
 * or a resulting error.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const undo = new Undo();
  try {
    return await start({ database: defaultDatabase, settings: {}, rootDir: defaultRootDir, ...options }, undo);
  } catch (error) {
    // Ignore errors while undoing, because they result from the first error.
    await undo.run().catch(() => undefined);
    throw asStartError(error, options.dataDir);
  }
}

type CompleteOptions = EmbeddedPostgresOptions &
  Required<Pick<EmbeddedPostgresOptions, 'database' | 'settings' | 'rootDir'>>;

async function start(options: CompleteOptions, undo: Undo): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries(options.binaries);
  const place = await choosePlace(options.dataDir, binaries.major, options.rootDir);
  await prepareDataDir(place);
  const owner = await claimOwner(place);
  undo.add(() => owner.release());
  const socketDir = await makeSocketDir(clusterName(place), place.account);
  undo.add(() => socketDir.remove());
  const { database } = options;
  const connection: Connection = { host: socketDir.path, port, user: superuser, database, ssl: false };
  const launch = await launcherOf(options, { place, shipped: binaries, socketDir });
  const supervisor = new Supervisor({
    start: async (signal) => {
      const server = await launch(signal);
      return { server, ready: untilReady(server, { dataDir: place.dataDir, connection, signal }) };
    },
    restartsPerMinute: options.restartsPerMinute ?? 0,
    stop: () => undo.run(),
  });
  undo.add(() => supervisor.end());
  await supervisor.begin(options.signal);
  return {
    connection,
    dataDir: place.dataDir,
    version: binaries.version,
    get pid() {
      return supervisor.pid;
    },
    stop: () => supervisor.stop(),
    onExit: (listener) => supervisor.onExit(listener),
    onRestart: (listener) => supervisor.onRestart(listener),
  };
}

/** The name of the server, its children and its socket folder. */
function clusterName({ dataDir }: Place): string {
  return `shiplog-${shortHash(dataDir)}`;
}

/** Returns a function that starts a server. */
async function launcherOf(
  options: CompleteOptions,
  { place, shipped, socketDir }: { place: Place; shipped: Binaries; socketDir: SocketDir },
): Promise<(signal: AbortSignal | undefined) => Promise<Server>> {
  const { account, dataDir } = place;
  const { log = () => undefined } = options;
  if (runsAsRoot()) {
    log(`PostgreSQL does not run as root, so it runs as user ${account.name}, with its data in ${dataDir}`);
  }
  const where = { rootDir: options.rootDir, linkDir: socketDir.libraries };
  const { binaries, ...libraries } = await install({ binaries: shipped, account, ...where, log });
  const launcher = await chooseLauncher({ account, postgres: binaries.postgres, ...libraries });
  if (!launcher.endsWithParent) {
    log('without setpriv the database server keeps running if this process is killed, until the next start stops it');
  }
  const name = clusterName(place);
  const settings = serverSettings(options.settings, { clusterName: name, socketDir: socketDir.path, port });
  return async (signal) => {
    const lock = await replaceStaleServer({ dataDir, clusterName: name, account, log, signal });
    try {
      await ensureCluster({ place, binaries, launcher, log, signal });
      signal?.throwIfAborted();
      return await spawnServer({ dataDir, lock, account, launcher, postgres: binaries.postgres, settings });
    } catch (error) {
      await lock.close();
      throw error;
    }
  };
}

/** Undoes the steps of a start in reverse order. */
class Undo {
  readonly #steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Runs every step even if one fails, and then throws the first error. A second call does nothing. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      await step().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}
