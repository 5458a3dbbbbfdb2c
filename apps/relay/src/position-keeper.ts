import { answeredStatus, type Client, type Clock } from '@shiplog/client';
import { backoffMs } from '@shiplog/streams';
import type { Logger } from 'pino';
import { readMemory, type TargetMemory, writeMemory } from './domain/cursor.ts';

export interface PositionKeeperOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  readonly target: string;
}

/** One target's entry in the service's fetcher state, `relay-<name>`: the last stored memory wins. */
export class PositionKeeper {
  readonly #options: PositionKeeperOptions;
  readonly #adapter: string;
  #next: TargetMemory | undefined;
  #storing: Promise<void> | undefined;
  #stopping = new AbortController();

  constructor(options: PositionKeeperOptions) {
    this.#options = options;
    this.#adapter = `relay-${options.target}`;
  }

  /** `undefined` if nothing readable is stored. @throws where the service is unreachable. */
  async load(signal: AbortSignal): Promise<TargetMemory | undefined> {
    try {
      const { body } = await this.#options.client.getFetcherState({ params: { adapter: this.#adapter }, signal });
      return readMemory(body.cursor);
    } catch (error) {
      if (answeredStatus(error) === 404) return undefined;
      throw error;
    }
  }

  /** Stores at once, or as soon as the service accepts it. */
  store(memory: TargetMemory): void {
    this.#next = memory;
    this.#storing ??= this.#storeAll().finally(() => {
      this.#storing = undefined;
    });
  }

  /** Resolves when the last memory is stored, or after `ms`. */
  async stored(ms: number): Promise<void> {
    const over = new AbortController();
    if (this.#storing) await Promise.race([this.#storing, this.#options.clock.sleep(ms, over.signal)]);
    over.abort();
  }

  /** Nothing is stored after this resolves; a request in flight is given up after `ms`. */
  async halt(ms: number): Promise<void> {
    await this.stored(ms);
    this.#stopping.abort();
    await this.#storing;
    this.#next = undefined;
    this.#stopping = new AbortController();
  }

  async #storeAll(): Promise<void> {
    const { client, clock, log } = this.#options;
    const { signal } = this.#stopping;
    for (let failures = 0; this.#next && !signal.aborted; ) {
      const memory = this.#next;
      try {
        const request = { params: { adapter: this.#adapter }, body: { cursor: writeMemory(memory) }, signal };
        await client.putFetcherState(request);
        failures = 0;
        if (this.#next === memory) this.#next = undefined;
      } catch (error) {
        if (signal.aborted) return;
        if (failures === 0) log.warn({ err: error }, 'the position could not be stored; trying again');
        await clock.sleep(backoffMs(failures, { minMs: 1000, maxMs: 60_000 }), signal);
        failures += 1;
      }
    }
  }
}
