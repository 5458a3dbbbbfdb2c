import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runSql } from '@shiplog/testing/database';
import { removeFolder } from '@shiplog/testing/folder';
import { freePort } from '@shiplog/testing/ports';
import { Daemon, user } from './daemon.ts';
import { ClusterNode, passwords } from './node.ts';

const files = new URL('../../deploy/cluster/', import.meta.url);
const lookAgainMs = 100;
/** Copying and recovering a node takes over a minute and a half on a busy machine. */
const wholeWithinMs = 240_000;
const owner = { name: 'shiplog', password: 'an-owner' } as const;

/** The programs that a cluster needs but that this machine doesn't have. */
export function missingPrograms(): string[] {
  const programs = ['patroni', 'etcd', 'haproxy', 'pgbouncer', 'setpriv', '/usr/lib/postgresql/15/bin/initdb'];
  const path = `${process.env.PATH}:/usr/sbin`;
  return programs.filter((program) => {
    try {
      execFileSync('sh', ['-c', 'command -v "$1"', 'sh', program], { env: { PATH: path }, stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
}

export interface ClusterOptions {
  /** Whether posts wait for a standby; otherwise a failover may lose acknowledged posts. */
  readonly synchronous: boolean;
}

/**
 * A real cluster that uses the files in `deploy/cluster/`: three Patroni nodes, etcd, HAProxy in front of the primary,
 * and PgBouncer in front of HAProxy.
 */
export class Cluster {
  readonly nodes: readonly ClusterNode[];
  /**
   * Settings for a service to connect to the primary: with a list of all hosts, through the proxy or through the
   * pooler.
   */
  readonly ways: Readonly<Record<'hosts' | 'proxy' | 'pooler', Readonly<Record<string, string>>>>;
  readonly #folder: string;
  /** The number of standbys that posts wait for. */
  readonly #awaited: number;
  readonly #helpers: { readonly etcd: Daemon; readonly proxy: Daemon; readonly pooler: Daemon };

  static async open({ synchronous }: ClusterOptions): Promise<Cluster> {
    const folder = await mkdtemp(join(tmpdir(), 'shiplog-cluster-'));
    await chmod(folder, 0o755);
    execFileSync('chown', [user, folder]);
    const patroni = await readFile(new URL('patroni.yml', files), 'utf8');
    const asked = patroni.replace('synchronous_mode: true', `synchronous_mode: ${synchronous}`);
    await writeFile(join(folder, 'patroni.yml'), asked);
    await copyFile(new URL('haproxy.cfg', files), join(folder, 'haproxy.cfg'));
    const [client, peer, proxyPort, poolerPort] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    const pooler = (await readFile(new URL('pgbouncer.ini', files), 'utf8'))
      .replace('port=5000', `port=${proxyPort}`)
      .replace('/etc/pgbouncer', folder)
      .replace('listen_port = 6432', `listen_port = ${poolerPort}`);
    await writeFile(join(folder, 'pgbouncer.ini'), pooler);
    await writeFile(join(folder, 'userlist.txt'), `"${owner.name}" "${owner.password}"\n`);
    const etcd = `127.0.0.1:${client}`;
    const nodes = await Promise.all(['one', 'two', 'three'].map((name) => ClusterNode.open(name, folder, etcd)));
    return new Cluster(folder, nodes, synchronous ? 1 : 0, { etcd, peer, proxyPort, poolerPort });
  }

  private constructor(
    folder: string,
    nodes: readonly ClusterNode[],
    awaited: number,
    at: { etcd: string; peer: number; proxyPort: number; poolerPort: number },
  ) {
    this.nodes = nodes;
    this.#folder = folder;
    this.#awaited = awaited;
    const to = (hosts: string) => `postgres://${owner.name}:${owner.password}@${hosts}/shiplog`;
    const hosts = to(nodes.map(({ address }) => address).join(','));
    this.ways = {
      hosts: { DATABASE_URL: `${hosts}?target_session_attrs=read-write`, READ_DATABASE_URL: hosts },
      proxy: { DATABASE_URL: to(`127.0.0.1:${at.proxyPort}`) },
      pooler: { DATABASE_URL: to(`127.0.0.1:${at.poolerPort}`) },
    };
    const peer = `http://127.0.0.1:${at.peer}`;
    const client = `http://${at.etcd}`;
    this.#helpers = {
      etcd: this.#run('etcd', [
        ...[
          '--enable-v2',
          '--data-dir',
          join(folder, 'etcd'),
          '--listen-client-urls',
          client,
          '--advertise-client-urls',
          client,
        ],
        ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
      ]),
      proxy: this.#run('haproxy', ['-f', join(folder, 'haproxy.cfg')], {
        LISTEN: `127.0.0.1:${at.proxyPort}`,
        ...Object.fromEntries(
          nodes.flatMap(({ address, restPort }, n) => [
            [`NODE${n + 1}`, address],
            [`REST${n + 1}`, String(restPort)],
          ]),
        ),
      }),
      pooler: this.#run('pgbouncer', [join(folder, 'pgbouncer.ini')]),
    };
  }

  /** Starts the nodes; resolves when one is the primary, the others are standbys, and the log's database exists. */
  async start(): Promise<void> {
    for (const node of this.nodes) node.start();
    await this.settled();
    const url = superuserUrl(await this.primary(), 'postgres');
    await runSql(url, `create role ${owner.name} login password '${owner.password}'`);
    await runSql(url, `create database shiplog owner ${owner.name}`);
  }

  /** Waits until Patroni reports a primary, and returns it. */
  primary(): Promise<ClusterNode> {
    return this.#first('primary');
  }

  /**
   * The time (`performance.now`) at which another node has committed, or `undefined` if the signal is aborted first.
   */
  async succeeded(before: ClusterNode, signal: AbortSignal): Promise<number | undefined> {
    const others = this.nodes.filter((node) => node !== before);
    while (!signal.aborted) {
      const roles = await Promise.all(others.map((node) => node.isAs('primary')));
      const primary = others[roles.indexOf(true)];
      if (primary && (await this.#commits(primary))) return performance.now();
      await delay(lookAgainMs);
    }
    return undefined;
  }

  /**
   * Waits for a synchronous standby and returns it. In a cluster without synchronous standbys, waits for any standby.
   */
  standby(): Promise<ClusterNode> {
    return this.#first(this.#awaited > 0 ? 'sync' : 'replica');
  }

  /** Resolves when one primary has two standbys. If requested, one of them must be synchronous. */
  async settled(): Promise<void> {
    await this.#until('whole', () => this.#isWhole());
  }

  /** Resolves when the primary or a standby is missing. */
  async broken(): Promise<void> {
    await this.#until('broken', async () => !(await this.#isWhole()));
  }

  /** Runs SQL on the primary as its superuser. */
  async onPrimary<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return runSql<Row>(superuserUrl(await this.primary()), text, values);
  }

  /** Suspends etcd until the returned function is called. */
  hangEtcd(): () => void {
    this.#helpers.etcd.signal('SIGSTOP');
    return () => this.#helpers.etcd.signal('SIGCONT');
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
    for (const helper of Object.values(this.#helpers)) await helper.kill();
    await removeFolder(this.#folder);
  }

  /** Whether a commit on this node succeeds; like a post, it waits for a standby. */
  async #commits(node: ClusterNode): Promise<boolean> {
    return runSql(superuserUrl(node), 'update log_heads set last_tick = last_tick').then(
      () => true,
      () => false,
    );
  }

  async #isWhole(): Promise<boolean> {
    const whole = { primary: 1, replica: 2, sync: this.#awaited } as const;
    const isWhole = async (role: keyof typeof whole) => (await this.#as(role)).length === whole[role];
    return (await isWhole('primary')) && (await isWhole('replica')) && (await isWhole('sync'));
  }

  async #until(state: string, isSo: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + wholeWithinMs;
    while (!(await isSo())) {
      if (performance.now() > deadline) {
        const told = await Promise.all(this.nodes.map((node) => node.told()));
        throw new Error(`the cluster was not ${state} after ${wholeWithinMs} ms:\n${told.join('\n')}`);
      }
      await delay(lookAgainMs);
    }
  }

  async #first(role: 'primary' | 'replica' | 'sync'): Promise<ClusterNode> {
    let first: ClusterNode | undefined;
    await this.#until(`with a ${role}`, async () => {
      [first] = await this.#as(role);
      return first !== undefined;
    });
    if (!first) throw new Error(`there is no ${role}`);
    return first;
  }

  async #as(role: 'primary' | 'replica' | 'sync'): Promise<ClusterNode[]> {
    const answers = await Promise.all(this.nodes.map((node) => node.isAs(role)));
    return this.nodes.filter((_, n) => answers[n]);
  }

  #run(command: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): Daemon {
    const folder = this.#folder;
    return new Daemon({ command, args, environment, folder, log: join(folder, `${command}.log`) });
  }
}

function superuserUrl({ address }: ClusterNode, database = 'shiplog'): string {
  return `postgres://postgres:${passwords.superuser}@${address}/${database}`;
}
