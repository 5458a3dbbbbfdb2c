import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What the server does with one request. */
export type Act = (response: ServerResponse, request: IncomingMessage) => void;

/** An HTTP server that treats its first request by the first act, the second by the second, and so on. */
export class ScriptedServer {
  readonly requests: IncomingMessage[] = [];
  readonly #server: Server;
  readonly #watchers = new Set<() => void>();

  /** Listens on a free port; closed when the test is over. The last act serves all that come after it too. */
  static async open(...acts: readonly Act[]): Promise<ScriptedServer> {
    const scripted = new ScriptedServer(acts);
    scripted.#server.listen(0, '127.0.0.1');
    await once(scripted.#server, 'listening');
    onTestFinished(async () => {
      scripted.#server.closeAllConnections();
      scripted.#server.close();
      await once(scripted.#server, 'close');
    });
    return scripted;
  }

  private constructor(acts: readonly Act[]) {
    this.#server = createServer((request, response) => {
      this.requests.push(request);
      request.socket.on('error', () => undefined);
      acts[Math.min(this.requests.length, acts.length) - 1]?.(response, request);
      for (const look of [...this.#watchers]) look();
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/stream`;
  }

  get lastEventIds(): (string | undefined)[] {
    return this.requests.map((request) => request.headers['last-event-id'] as string | undefined);
  }

  /** Resolves when so many requests have come. */
  asked(count: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.requests.length < count) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }
}

/** Begins a stream, sends these pieces and leaves it open. */
export function sends(...pieces: readonly (string | Uint8Array)[]): Act {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-stream-resume': 'replay' });
    response.flushHeaders();
    for (const piece of pieces) response.write(piece);
  };
}

/** Begins a stream and sends byte after byte, each on its own. */
export function trickles(bytes: Uint8Array): Act {
  return (response, request) => {
    sends()(response, request);
    const sendFrom = (at: number) => {
      if (at < bytes.length) response.write(bytes.subarray(at, at + 1), () => setImmediate(() => sendFrom(at + 1)));
    };
    sendFrom(0);
  };
}

/** Begins a stream, sends these pieces and ends it. */
export function sendsAll(...pieces: readonly (string | Uint8Array)[]): Act {
  return (response, request) => {
    sends(...pieces)(response, request);
    response.end();
  };
}

/** The same, and cuts the connection when all has been sent. */
export function sendsAndCuts(...pieces: readonly string[]): Act {
  return (response, request) => {
    sends(...pieces.slice(0, -1))(response, request);
    response.write(pieces.at(-1) ?? '', () => response.destroy());
  };
}

/** Answers with a status and no stream. */
export function refuses(status: number, headers: Readonly<Record<string, string>> = {}): Act {
  return (response) => response.writeHead(status, headers).end();
}
