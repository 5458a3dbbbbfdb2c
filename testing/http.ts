import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

/** A request as it goes over the wire: nothing is encoded, completed or corrected. */
export interface WireRequest {
  readonly method?: string;
  readonly path: string;
  /**
   * Characters up to U+00FF stand for one byte each; a list is sent as several lines. Pairs are all that is sent beside
   * `Host: shiplog` and the length of the body.
   */
  readonly headers?: Readonly<Record<string, string | string[]>> | HeaderPairs;
  readonly body?: string | Uint8Array | undefined;
  /** Sends the body in chunks of this many bytes, without a length. */
  readonly chunkBytes?: number;
}

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** A request all of whose lines are spelled out. */
export interface HttpCall extends WireRequest {
  readonly method: string;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body, `undefined` where it is empty or not JSON. */
  readonly json: unknown;
}

/** An answer may repeat the largest head of a request, such as in the link to its next page. */
const answerHeadBytes = 64 * 1024;

/** The bytes of a text as a header value carries them. */
export function headerBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Host and port of an HTTP address. */
export function addressOf(baseUrl: string): { hostname: string; port: number } {
  const { hostname, port } = new URL(baseUrl);
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}

/** Connections that are kept between requests, as clients do. Destroy it when the test is over. */
export function connections(maxSockets = 64): Agent {
  return new Agent({ keepAlive: true, maxSockets });
}

/**
 * Sends one request and reads its answer to the end; a stream is left as soon as its head is there. Rejects when there
 * is no whole answer.
 */
export function exchange(baseUrl: string, wire: WireRequest, agent: Agent): Promise<Answer> {
  const { method = 'GET', path, chunkBytes } = wire;
  const body = wire.body === undefined ? undefined : Buffer.from(wire.body);
  let answering = false;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { ...addressOf(baseUrl), agent, method, path, headers: headersOf(wire, body), maxHeaderSize: answerHeadBytes },
      (response) => {
        answering = true;
        const { statusCode: status = 0, headers } = response;
        const chunks: Buffer[] = [];
        const answer = () => {
          try {
            resolve(answerOf({ status, headers, text: Buffer.concat(chunks).toString() }));
          } catch (error) {
            reject(error);
          }
        };
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        response.on('end', answer);
        if (headers['content-type'] !== 'text/event-stream') return;
        answer();
        response.destroy();
      },
    );
    // An answer that comes before the whole body was sent is the answer all the same.
    request.on('error', (error) => {
      if (!answering) reject(error);
    });
    if (body && chunkBytes !== undefined) {
      request.setHeader('Transfer-Encoding', 'chunked');
      for (let at = 0; at < body.length; at += chunkBytes) request.write(body.subarray(at, at + chunkBytes));
      request.end();
    } else {
      // Node gives the body of a DELETE no length of its own accord.
      if (body && !Array.isArray(wire.headers)) request.setHeader('Content-Length', body.length);
      request.end(body);
    }
  });
}

function headersOf({ headers = {} }: WireRequest, body: Buffer | undefined) {
  if (!Array.isArray(headers)) return headers as Record<string, string | string[]>;
  return ['Host', 'shiplog', ...(body ? ['Content-Length', String(body.length)] : []), ...headers.flat()];
}

/** A body that is compressed is left as it is. @throws SyntaxError where one is called JSON and is none. */
export function answerOf({ status, headers, text }: Omit<Answer, 'json'>): Answer {
  const type = headers['content-encoding'] === undefined ? headers['content-type'] : undefined;
  const isJson = /^application\/(problem\+)?json\b/.test(type ?? '');
  return { status, headers, text, json: isJson && text !== '' ? JSON.parse(text) : undefined };
}
