import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/** One answer, its body read to the end; a stream is left as soon as its head is there. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface HttpCall {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
}

/** Sends requests as they are written, without what `fetch` forbids or adds. Destroy it when the test is over. */
export class HttpClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });
  readonly #port: number;

  constructor(url: string) {
    this.#port = Number(new URL(url).port);
  }

  /** Rejects when no answer comes. */
  call({ method, path, headers, body }: HttpCall): Promise<HttpAnswer> {
    const length = body ? ['content-length', String(body.length)] : [];
    const written = ['host', 'shiplog', ...length, ...headers.flat()];
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          agent: this.#agent,
          host: '127.0.0.1',
          port: this.#port,
          method,
          path,
          headers: written,
        },
        (answer) => {
          const { statusCode: status = 0, headers: answerHeaders } = answer;
          if (answerHeaders['content-type'] === 'text/event-stream') {
            resolve({ status, headers: answerHeaders, text: '' });
            answer.destroy();
            return;
          }
          const pieces: Buffer[] = [];
          answer
            .on('data', (piece) => pieces.push(piece))
            .on('error', reject)
            .on('end', () => resolve({ status, headers: answerHeaders, text: Buffer.concat(pieces).toString() }));
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  destroy(): void {
    this.#agent.destroy();
  }
}
