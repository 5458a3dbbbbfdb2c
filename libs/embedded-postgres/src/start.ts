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
import { type Server, spawnServer } from './server.ts';
import { serverSettings } from './settings.ts';
import { makeSocketDir, port, type SocketDir } from './socket-dir.ts';
import { replaceStaleServer } from './stale-server.ts';
import { Supervisor } from './supervisor.ts';
import { Undo } from './undo.ts';

export const defaultDatabase = 'shiplog';
export const defaultRootDir = '/var/lib/shiplog';

/** What to start. */
export interface EmbeddedPostgresOptions {
  /** Where the cluster lives; made when absent. */
  dataDir: string;
  /** Created when absent; "shiplog" when not given. */
  database?: string;
  /** Server settings that add to or replace the defaults; those that the supervisor relies on cannot be replaced. */
  settings?: Record<string, string>;
  /** A folder with bin/postgres and bin/initdb of another PostgreSQL, 14 or newer. */
  binaries?: string;
  /** Where root puts copies and data when the user of the database cannot reach the originals; "/var/lib/shiplog" when not given. */
  rootDir?: string;
  /**
   * How often within a minute a server that ends without stop() is started again, on the same socket; never when not
   * given.
   */
  restartsPerMinute?: number;
  /** Gets a line for everything that the user may want to know. */
  log?: (line: string) => void;
  /** Cancels the start; whatever it has begun is undone. */
  signal?: AbortSignal | undefined;
}

/** A running database server that belongs to this process. */
export interface EmbeddedPostgres {
  connection: Connection;
  /** Where the cluster is. When the program runs as root, this can be another folder than the requested one. */
  dataDir: string;
  /** "18.4". */
  version: string;
  readonly pid: number;
  /** Resolves when the server has ended and its files outside the data directory are removed. A second call returns the same promise. */
  stop(): Promise<void>;
  /**
   * Calls the listener once if the server ends without stop() and is not started again, with a sentence that says how;
   * immediately if it has ended already.
   */
  onExit(listener: (detail: string) => void): void;
  /** Calls the listener whenever the server has ended without stop() and is about to be started again. */
  onRestart(listener: (detail: string) => void): void;
}

/**
 * Starts the embedded PostgreSQL on a data directory. Creates the cluster and the database when they are absent, and
 * cleans up after an earlier run that crashed. Resolves when the server accepts connections.
 *
 * The server ends with stop(), and on Linux also when the thread that started it dies. This process stays alive until
 * the server has ended.
 *
 * Throws DatabaseStartError when the data directory is of another major version, is in use, is not writable or holds
 * other files, when there are no binaries for the platform, and when the server does not start. When the signal cancels
 * the start, it rejects with the reason of the signal or with the error that followed from it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const undo = new Undo();
  try {
    return await start({ database: defaultDatabase, settings: {}, rootDir: defaultRootDir, ...options }, undo);
  } catch (error) {
    // An error while undoing follows from the first one, which is the one to report.
    await undo.run().catch(() => undefined);
    throw asStartError(error, options.dataDir);
  }
}

type CompleteOptions = EmbeddedPostgresOptions & {
  database: string;
  settings: Record<string, string>;
  rootDir: string;
};

async function start(options: CompleteOptions, undo: Undo): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries(options.binaries);
  const place = await choosePlace(options.dataDir, binaries.major, options.rootDir);
  await prepareDataDir(place);
  const owner = await claimOwner(place);
  undo.add(() => owner.release());
  const socketDir = await makeSocketDir(clusterName(place), place.account);
  undo.add(() => socketDir.remove());
  const connection: Connection = {
    host: socketDir.path,
    port,
    user: superuser,
    database: options.database,
    ssl: false,
  };
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

/** Names the server, its children and its socket folder after the one data directory they belong to. */
function clusterName({ dataDir }: Place): string {
  return `shiplog-${shortHash(dataDir)}`;
}

/** What starts a server on the place, as often as one is needed. */
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
