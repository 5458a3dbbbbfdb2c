import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@shiplog/testing/ports';
import { childrenOf, signalTo } from '@shiplog/testing/process-table';
import { Daemon } from './daemon.ts';

export const passwords = { superuser: 'a-superuser', replication: 'a-replicator', rewind: 'a-rewinder' } as const;
const host = '127.0.0.1';
const linesTold = 60;
/** Only allows for delays on a busy machine, because suspended nodes are not queried. */
const answerMs = 10_000;

/** One node of the cluster: Patroni and its database server. */
export class ClusterNode {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly #folder: string;
  readonly #environment: Readonly<Record<string, string>>;
  #patroni: Daemon | undefined;

  static async open(name: string, folder: string, etcd: string): Promise<ClusterNode> {
    return new ClusterNode(name, folder, { etcd, port: await freePort(), restPort: await freePort() });
  }

  private constructor(name: string, folder: string, at: { etcd: string; port: number; restPort: number }) {
    this.name = name;
    this.port = at.port;
    this.restPort = at.restPort;
    this.#folder = folder;
    const [server, rest] = [`${host}:${at.port}`, `${host}:${at.restPort}`];
    this.#environment = {
      PATRONI_NAME: name,
      PATRONI_RESTAPI_LISTEN: rest,
      PATRONI_RESTAPI_CONNECT_ADDRESS: rest,
      PATRONI_POSTGRESQL_LISTEN: server,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: server,
      PATRONI_POSTGRESQL_DATA_DIR: join(folder, name),
      // A separate file for each node, as on separate machines. A shared file could contain the password for another
      // primary.
      PATRONI_POSTGRESQL_PGPASS: join(folder, `${name}.pgpass`),
      PATRONI_ETCD_HOSTS: at.etcd,
      PATRONI_SUPERUSER_USERNAME: 'postgres',
      PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
      PATRONI_REPLICATION_USERNAME: 'replicator',
      PATRONI_REPLICATION_PASSWORD: passwords.replication,
      PATRONI_REWIND_USERNAME: 'rewinder',
      PATRONI_REWIND_PASSWORD: passwords.rewind,
    };
  }

  get address(): string {
    return `${host}:${this.port}`;
  }

  start(): void {
    this.#patroni = new Daemon({
      command: 'patroni',
      args: [join(this.#folder, 'patroni.yml')],
      environment: this.#environment,
      folder: this.#folder,
      log: join(this.#folder, `${this.name}.log`),
    });
  }

  /** Whether Patroni reports that the node has this role; false if Patroni doesn't respond. */
  async isAs(role: 'primary' | 'replica' | 'sync'): Promise<boolean> {
    const url = `http://${host}:${this.restPort}/${role}`;
    return fetch(url, { signal: AbortSignal.timeout(answerMs) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  /** Sends a request to Patroni and returns the response. */
  async ask(path: string, body: object, method = 'POST'): Promise<{ readonly status: number; readonly text: string }> {
    const answer = await fetch(`http://${host}:${this.restPort}/${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, text: await answer.text() };
  }

  /** Patroni's status of the node, and the last log lines of Patroni and of the server. */
  async told(): Promise<string> {
    const url = `http://${host}:${this.restPort}/patroni`;
    const state = await fetch(url, { signal: AbortSignal.timeout(answerMs) }).then((answer) => answer.text(), String);
    const written = await readFile(join(this.#folder, `${this.name}.log`), 'utf8').catch(String);
    // Omit tracebacks, because each check that a proxy aborts writes one.
    const lines = written.split('\n').filter((line) => /^\S/.test(line));
    return `${this.name}: ${state}\n${lines.slice(-linesTold).join('\n')}`;
  }

  /** Sends SIGKILL to the server's main process. Patroni detects that the server has ended. */
  async killServer(): Promise<void> {
    for (const pid of await this.#serverPids(false)) signalTo(pid, 'SIGKILL');
  }

  /** Simulates a machine failure: kills Patroni and all server processes at once. */
  async lose(): Promise<void> {
    await this.#patroni?.kill();
    for (const pid of await this.#serverPids(true)) signalTo(pid, 'SIGKILL');
  }

  /**
   * Suspends the whole node, only its server, or only Patroni. While Patroni is suspended, the server is not fenced.
   */
  async hang(what: 'node' | 'server' | 'manager'): Promise<() => Promise<void>> {
    const pids = what === 'manager' ? [] : await this.#serverPids(true);
    if (what !== 'server') this.#patroni?.signal('SIGSTOP');
    for (const pid of pids) signalTo(pid, 'SIGSTOP');
    return async () => {
      for (const pid of pids) signalTo(pid, 'SIGCONT');
      if (what !== 'server') this.#patroni?.signal('SIGCONT');
    };
  }

  async close(): Promise<void> {
    await this.lose();
  }

  async #serverPids(all: boolean): Promise<number[]> {
    const [first = ''] = (
      await readFile(join(this.#folder, this.name, 'postmaster.pid'), 'utf8').catch(() => '')
    ).split('\n');
    const pid = Number(first);
    if (!pid) return [];
    return all ? [pid, ...(await childrenOf(pid))] : [pid];
  }
}
