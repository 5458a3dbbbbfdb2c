import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

/** A request as it goes over the wire: nothing is encoded, completed or corrected. */
export interface WireRequest {
  readonly method?: string;
  readonly path: string;
  /** Characters up to U+00FF stand for one byte each; a list is sent as several lines. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
  /** Sends the body in chunks of this many bytes, without a length. */
  readonly chunkBytes?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body, `undefined` where it is empty or not JSON. */
  readonly json: unknown;
}

/** The bytes of a text as a header value carries them. */
export function headerBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Host and port of an HTTP address. */
export function addressOf(baseUrl: string): { hostname: string; port: number } {
  const { hostname, port } = new URL(baseUrl);
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}

/** Connections that are kept between requests, as clients do. */
export function connections(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 64 });
}

/** Sends one request and reads its answer to the end. Rejects when there is no whole answer. */
export function exchange(baseUrl: string, wire: WireRequest, agent: Agent): Promise<Answer> {
  const { hostname, port } = addressOf(baseUrl);
  let answering = false;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        hostname,
        port,
        agent,
        method: wire.method ?? 'GET',
        path: wire.path,
        headers: wire.headers ?? {},
      },
      (response) => {
        answering = true;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve(
            answerOf({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
          ),
        );
      },
    );
    // An answer that comes before the whole body was sent is the answer all the same.
    request.on('error', (error) => {
      if (!answering) reject(error);
    });
    const body = typeof wire.body === 'string' ? Buffer.from(wire.body) : wire.body;
    if (body && wire.chunkBytes !== undefined) {
      request.setHeader('Transfer-Encoding', 'chunked');
      for (let at = 0; at < body.length; at += wire.chunkBytes) request.write(body.subarray(at, at + wire.chunkBytes));
      request.end();
    } else {
      request.end(body);
    }
  });
}

export function answerOf(parts: { status: number; headers: IncomingHttpHeaders; bytes: Buffer }): Answer {
  const text = parts.bytes.toString('utf8');
  const isJson = /^application\/(problem\+)?json\b/.test(parts.headers['content-type'] ?? '');
  return {
    status: parts.status,
    headers: parts.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}
