import type { Server } from './server.ts';

const minuteMs = 60_000;

interface SupervisorOptions {
  /** `ready` resolves when the server accepts connections. */
  readonly start: (signal: AbortSignal | undefined) => Promise<{ server: Server; ready: Promise<void> }>;
  readonly restartsPerMinute: number;
  /** Undoes the start, including this supervisor. */
  readonly stop: () => Promise<void>;
}

/** Restarts a server that exits unexpectedly, at most a few times per minute. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #stopping = new AbortController();
  readonly #exited: Promise<string>;
  readonly #restartListeners: ((detail: string) => void)[] = [];
  /** The times of restarts, from `performance.now`. */
  #restarts: number[] = [];
  #server: Server | undefined;
  #watching: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;
  #exit: (detail: string) => void = () => undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#exited = new Promise((resolve) => {
      this.#exit = resolve;
    });
  }

  get pid(): number {
    return this.#server?.pid ?? 0;
  }

  /** Resolves when the first server is ready. */
  async begin(signal: AbortSignal | undefined): Promise<void> {
    await this.#start(signal);
    this.#watching = this.#watch();
  }

  onExit(listener: (detail: string) => void): void {
    void this.#exited.then(listener);
  }

  onRestart(listener: (detail: string) => void): void {
    this.#restartListeners.push(listener);
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    this.#stopped ??= this.#options.stop();
    return this.#stopped;
  }

  /** Ends the server permanently. */
  async end(): Promise<void> {
    this.#stopping.abort();
    await this.#server?.stop();
    await this.#watching;
    await this.#server?.stop();
  }

  async #start(signal: AbortSignal | undefined): Promise<void> {
    const { server, ready } = await this.#options.start(signal);
    this.#server = server;
    await ready;
  }

  async #watch(): Promise<void> {
    for (;;) {
      const server = this.#server as Server;
      const ending = await server.ended;
      if (this.#stopping.signal.aborted) return;
      const last = await server.lastError().catch(() => '');
      const detail = `PostgreSQL (process ${server.pid}) was ${ending}${last && `; its last words: ${last}`}; its log is ${server.logFile}`;
      const failure = await this.#restart(detail);
      if (this.#stopping.signal.aborted) return;
      if (failure !== undefined) return this.#exit(failure);
    }
  }

  /** Returns why the server could not be restarted. */
  async #restart(detail: string): Promise<string | undefined> {
    let failure = detail;
    while (this.#mayRestart() && !this.#stopping.signal.aborted) {
      for (const listener of this.#restartListeners) listener(failure);
      try {
        await this.#start(this.#stopping.signal);
        return undefined;
      } catch (error) {
        await this.#server?.stop();
        failure = `${detail}; ${error instanceof Error ? error.message : String(error)}`;
      }
    }
    return failure;
  }

  #mayRestart(): boolean {
    const now = performance.now();
    this.#restarts = this.#restarts.filter((at) => now - at < minuteMs);
    if (this.#restarts.length >= this.#options.restartsPerMinute) return false;
    this.#restarts.push(now);
    return true;
  }
}
