import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly content?: string | undefined;
  /** The limit for the uncompressed body of a good response. */
  readonly bytesMax: number;
  /** Replaces the system's name lookup; such a request uses its own connection. */
  readonly lookup?: LookupFunction | undefined;
}

export interface Head {
  readonly status: number;
  readonly headers: Headers;
}

export interface WireAnswer extends Head {
  readonly body: Uint8Array;
}

export interface Exchange {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Called with the head of the response; reading the body may still fail. */
  onHead(head: Head): void;
}

/** There was no complete response. The message contains no part of the request or the response. */
export class Unanswered extends Error {}

const refusalBytesMax = 65_536;

/** Sends a request and reads the whole response; follows no redirects. @throws Unanswered, or the signal's reason. */
export async function exchange(request: WireRequest, { signal, timeoutMs, onHead }: Exchange): Promise<WireAnswer> {
  signal.throwIfAborted();
  const cut = new AbortController();
  const abort = () => cut.abort();
  signal.addEventListener('abort', abort, { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    cut.abort();
  }, timeoutMs);
  try {
    const { lookup } = request;
    const sent = lookup ? sendLookedUp(request, lookup, cut.signal) : sendUsual(request, cut.signal);
    const { status, headers, body: stream } = await sent;
    const head = { status, headers };
    onHead(head);
    const isGood = isGoodStatus(head.status);
    const read = readBody(stream, isGood ? request.bytesMax : refusalBytesMax);
    const body = await (isGood ? read : read.catch(() => new Uint8Array()));
    signal.throwIfAborted();
    return { ...head, body };
  } catch (error) {
    signal.throwIfAborted();
    throw new Unanswered(isLate ? `no complete answer within ${timeoutMs} ms` : reasonOf(error));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

export function isGoodStatus(status: number): boolean {
  return status === 200 || status === 201;
}

interface Streamed extends Head {
  readonly body: AsyncIterable<Uint8Array> | null;
}

function sendUsual({ method, url, headers, content }: WireRequest, signal: AbortSignal): Promise<Streamed> {
  return fetch(url, { method, headers, body: content ?? null, redirect: 'manual', signal });
}

/** `fetch` doesn't allow a custom lookup. */
async function sendLookedUp(
  { method, url, headers, content }: WireRequest,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<Streamed> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const all = { ...headers, 'accept-encoding': 'identity' };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(url, { method, headers: all, lookup, signal, agent: false });
    sent.on('response', resolve).on('error', reject).end(content);
  });
  const replyHeaders = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return { status: response.statusCode ?? 0, headers: new Headers(replyHeaders), body: response };
}

/** Stops reading at the limit, however large a compressed body is. */
async function readBody(body: AsyncIterable<Uint8Array> | null, bytesMax: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the stream.
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > bytesMax) throw new Unanswered(`the body has more than ${bytesMax} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Errors from `fetch` may quote headers and bodies, so only their codes are shown. */
function reasonOf(error: unknown): string {
  if (error instanceof Unanswered) return error.message;
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  // `redirectLookup` created this message, which contains only a host.
  if (cause instanceof Error && 'code' in cause && cause.code === 'EINNER') return cause.message;
  const code = cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
  return `no complete answer${code === undefined ? '' : ` (${code})`}`;
}
