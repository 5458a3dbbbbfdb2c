import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as pause } from 'node:timers/promises';

/** The required number of idle turns in a row: a few turns pass between a response and the next request. */
const calmTurns = 4;

interface Sent {
  readonly request: { readonly path: string };
}

/**
 * Detects when this process is neither waiting for a response nor sending a request, apart from open streams. Requests
 * uncompressed responses, because decompression after the end of a request couldn't be detected.
 */
export class Quiet {
  readonly #underWay = new Set<object>();
  readonly #fetch = globalThis.fetch;
  readonly #ended = (message: unknown) => void this.#underWay.delete((message as Sent).request);
  readonly #sent = (message: unknown) => {
    const { request } = message as Sent;
    if (!request.path.includes('/stream')) this.#underWay.add(request);
  };

  begin(): void {
    globalThis.fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('accept-encoding', 'identity');
      return this.#fetch(input, { ...init, headers });
    };
    subscribe('undici:request:create', this.#sent);
    subscribe('undici:request:trailers', this.#ended);
    subscribe('undici:request:error', this.#ended);
  }

  end(): void {
    globalThis.fetch = this.#fetch;
    unsubscribe('undici:request:create', this.#sent);
    unsubscribe('undici:request:trailers', this.#ended);
    unsubscribe('undici:request:error', this.#ended);
  }

  /** Resolves when nothing has been in progress for some turns of the event loop. */
  async reached(): Promise<void> {
    for (let calm = 0; calm < calmTurns; calm = this.#underWay.size === 0 ? calm + 1 : 0) await pause(1);
  }
}
