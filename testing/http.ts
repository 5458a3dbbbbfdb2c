import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** A request that is sent exactly as given: nothing is encoded, completed or corrected. */
export interface WireRequest {
  readonly method?: string;
  readonly path: string;
  /**
   * Each character up to U+00FF is sent as one byte, and a list as several lines. If the headers are given as pairs,
   * only these are sent, plus `Host: shiplog` and the length of the body.
   */
  readonly headers?: Readonly<Record<string, string | string[]>> | HeaderPairs;
  readonly body?: string | Uint8Array | undefined;
  /** Sends the body in chunks of this many bytes, without a length. */
  readonly chunkBytes?: number;
}

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** A request with every part given, and its headers as pairs. */
export interface HttpCall extends WireRequest {
  readonly method: string;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body, decompressed. */
  readonly text: string;
  /** The parsed body; `undefined` if it is empty or not JSON. */
  readonly json: unknown;
}

/** A response may repeat the longest possible request headers, for example in the link to its next page. */
const answerHeadBytes = 64 * 1024;

/** The UTF-8 bytes of a string as a header value with one character per byte. */
export function headerBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** The host and port of an HTTP URL. */
export function addressOf(baseUrl: string): { hostname: string; port: number } {
  const { hostname, port } = new URL(baseUrl);
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) };
}

/** An agent that keeps connections open between requests, as clients do. Destroy it when the test ends. */
export function connections(maxSockets = 64): Agent {
  return new Agent({ keepAlive: true, maxSockets });
}

/**
 * Sends one request and reads the response to the end, or only the headers if the response is a stream. Rejects if the
 * response is incomplete.
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
            resolve(answerOf({ status, headers, text: decoded(Buffer.concat(chunks), headers).toString() }));
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
    // A response also counts if it arrives before the complete body was sent.
    request.on('error', (error) => {
      if (!answering) reject(error);
    });
    if (body && chunkBytes !== undefined) {
      request.setHeader('Transfer-Encoding', 'chunked');
      for (let at = 0; at < body.length; at += chunkBytes) request.write(body.subarray(at, at + chunkBytes));
      request.end();
    } else {
      // Node does not set the length of a DELETE body automatically.
      if (body && !Array.isArray(wire.headers)) request.setHeader('Content-Length', body.length);
      request.end(body);
    }
  });
}

function headersOf({ headers = {} }: WireRequest, body: Buffer | undefined) {
  if (!Array.isArray(headers)) return headers as Record<string, string | string[]>;
  return ['Host', 'shiplog', ...(body ? ['Content-Length', String(body.length)] : []), ...headers.flat()];
}

/** The body without its encoding. A response to HEAD has only the header. */
function decoded(body: Buffer, { 'content-encoding': encoding }: IncomingHttpHeaders): Buffer {
  if (encoding === undefined || body.length === 0) return body;
  if (encoding === 'br') return brotliDecompressSync(body);
  if (encoding === 'gzip') return gunzipSync(body);
  throw new Error(`a response has the unknown encoding ${encoding}`);
}

/** @throws SyntaxError if the body is declared as JSON but is not valid JSON. */
export function answerOf({ status, headers, text }: Omit<Answer, 'json'>): Answer {
  const isJson = /^application\/(problem\+)?json\b/.test(headers['content-type'] ?? '');
  return { status, headers, text, json: isJson && text !== '' ? JSON.parse(text) : undefined };
}
