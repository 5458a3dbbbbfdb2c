import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@shiplog/testing/ports';
import { NoticeFilter, StatementNames } from '@shiplog/testing/postgres-messages';
import { ProgramProcess } from '@shiplog/testing/process';
import { NetworkProxy, type Tap } from '@shiplog/testing/proxy';
import type { DatabaseServer } from './database-server.ts';

/** The keys of all instances in this run. Instances of other runs reject them. */
export const keys = { api: `faults-api-${randomUUID()}`, control: `faults-control-${randomUUID()}` } as const;

const insidePath = new URL('./inside.js', import.meta.url).href;
const retryMs = 300;

export interface InstanceOptions {
  readonly name: string;
  readonly database: DatabaseServer;
  /** The initial offset of the instance's clock. Negative if the clock is behind. */
  readonly skewMs: number;
  /** The folder with the files for the instance's clock and measurements. */
  readonly folder: string;
  /** Called when the instance ends unexpectedly. */
  readonly onDeath: (output: string) => void;
}

/** An instance, as seen by clients. */
export type Place = Pick<Instance, 'name' | 'url' | 'quiet'>;

/** The measurements that an instance reports about itself. */
export interface Account {
  /** Open handles other than connections. */
  readonly handles: number;
  /** The maximum number of listeners for one event of one object. */
  readonly listeners: number;
  /** The maximum number of bytes waiting for one peer. */
  readonly backlogBytes: number;
}

/** An instance of the service: a process that restarts on the same port, with its own database connection. */
export class Instance {
  readonly name: string;
  readonly url: string;
  /** Its connection to the database. */
  readonly proxy: NetworkProxy;
  readonly #taps: Taps;
  /** Whether readers must avoid the instance, so that only a notification or a poll can wake it. */
  quiet = false;
  readonly #options: InstanceOptions;
  #process: ProgramProcess | undefined;
  #wanted = false;
  #up = false;

  static async open(options: InstanceOptions): Promise<Instance> {
    const taps = new Taps();
    const proxy = await NetworkProxy.start(options.database.url, () => taps.open());
    return new Instance(options, { proxy, taps, port: await freePort() });
  }

  private constructor(options: InstanceOptions, parts: { proxy: NetworkProxy; taps: Taps; port: number }) {
    const { proxy, taps, port } = parts;
    this.#options = options;
    this.name = options.name;
    this.proxy = proxy;
    this.#taps = taps;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Whether all notifications from the database are lost. */
  set deaf(deaf: boolean) {
    this.#taps.deaf = deaf;
  }

  /** The number of database connections, and the number of different statements prepared so far. */
  get usage(): { connections: number; statements: number } {
    return { connections: this.proxy.connections, statements: this.#taps.statements.size };
  }

  /** Starts the instance. Like a process manager, retries until it is running. */
  async start(): Promise<void> {
    this.#wanted = true;
    await this.moveClock(0);
    while (this.#wanted && !(await this.#spawn())) await delay(retryMs);
  }

  async kill(): Promise<void> {
    this.#wanted = false;
    this.#up = false;
    await this.#process?.kill();
  }

  /** Sends SIGTERM. Returns the last log line if the instance does not end with 0. */
  async terminate(): Promise<string | undefined> {
    this.#wanted = false;
    this.#up = false;
    const ended = this.#process;
    const code = await ended?.terminate();
    return code === 0 ? undefined : `${code}: ${ended?.output.trim().split('\n').at(-1)}`;
  }

  async close(): Promise<void> {
    await this.kill();
    await this.proxy.close();
  }

  /** Sets the instance's clock to its initial offset plus this value. Negative values move it back. */
  async moveClock(ms: number): Promise<void> {
    await writeFile(this.#file('clock'), String(this.#options.skewMs + ms));
    if (this.#up) this.#process?.child.kill('SIGUSR2');
  }

  /** Reads the latest measurements. Rejects until the first ones are available. */
  async account(): Promise<Account> {
    return JSON.parse(await readFile(this.#file('account'), 'utf8'));
  }

  async #spawn(): Promise<boolean> {
    const { onDeath } = this.#options;
    const spawned = ProgramProcess.start(
      'service',
      {
        DATABASE_URL: this.proxy.url,
        API_KEY: keys.api,
        CONTROL_API_KEY: keys.control,
        PORT: new URL(this.url).port,
        RESET_ACK_TIMEOUT_SECONDS: '1',
        RESET_GATE_MAX_TTL_SECONDS: '10',
        FAULTS_CLOCK_FILE: this.#file('clock'),
        FAULTS_ACCOUNT_FILE: this.#file('account'),
      },
      { nodeArgs: ['--import', insidePath] },
    );
    this.#process = spawned;
    this.#up = await spawned.ready().then(
      () => true,
      () => false,
    );
    if (this.#up) {
      void spawned.exited().then(() => {
        if (!this.#wanted || this.#process !== spawned) return;
        this.#up = false;
        onDeath(spawned.output);
        void this.start();
      });
    }
    return this.#up;
  }

  #file(what: string): string {
    return join(this.#options.folder, `${this.name}.${what}`);
  }
}

/** Observes the database connections of an instance. */
class Taps {
  deaf = false;
  readonly statements = new Set<string>();

  open(): Tap {
    const statements = new StatementNames(this.statements);
    const notices = new NoticeFilter();
    return {
      asked: (piece) => statements.look(piece),
      answered: (piece) => notices.pass(piece, this.deaf),
    };
  }
}
