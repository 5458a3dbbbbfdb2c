import type { IncomingMessage, ServerResponse } from 'node:http';
import { headerNames, keyHeaders, streams } from '@shiplog/contract';
import { pingText } from '@shiplog/streams';
import type { FastifyRequest } from 'fastify';
import type { DriverApi } from './api.ts';
import { callUpstream, headOf, queryOf } from './upstream.ts';

export interface PassthroughParts {
  readonly writeApiUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  /** After this time without a byte from upstream, the driver sends a ping. */
  readonly silentMs: number;
}

const { lastEventId, streamResume } = headerNames;

/** The open passthroughs. */
export class Passthroughs {
  readonly #open = new Set<ServerResponse>();
  #stopped = false;

  /**
   * Copies the response at the speed of the reader, until upstream ends, the reader disconnects or the driver stops.
   */
  pass(from: IncomingMessage, to: ServerResponse): void {
    this.#open.add(to);
    to.on('close', () => this.#open.delete(to));
    to.on('error', () => undefined);
    // To the reader, a broken stream looks like a stream that ended, and the reader reconnects automatically.
    from.on('error', () => to.end());
    from.pipe(to);
    if (this.#stopped) to.end();
  }

  stop(): void {
    this.#stopped = true;
    for (const reader of this.#open) reader.end();
  }
}

/** `GET /demo/deployments-stream`: the deployment stream, byte for byte (companion services §4, reading 9.7). */
export function addPassthrough(api: DriverApi, passthroughs: Passthroughs, parts: PassthroughParts): void {
  api.serve('streamDemoDeployments', async ({ request, reply }) => {
    const answer = await callUpstream({
      url: `${parts.writeApiUrl}${streams.deployments.path}${queryOf(request)}`,
      method: 'GET',
      headers: { accept: 'text/event-stream', [keyHeaders.api]: parts.apiKey, ...resumed(request) },
      caller: reply.raw,
      timeoutMs: parts.timeoutMs,
    });
    reply.hijack();
    const resume = answer.headers[streamResume.toLowerCase()];
    reply.raw.writeHead(answer.statusCode ?? 502, {
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
      'X-Content-Type-Options': 'nosniff',
      ...headOf(answer),
      ...(typeof resume === 'string' ? { [streamResume]: resume } : {}),
    });
    reply.raw.flushHeaders();
    if (request.method === 'HEAD') {
      reply.raw.end();
      return undefined;
    }
    passthroughs.pass(answer, reply.raw);
    if (isPlainStream(answer)) pingInSilence(answer, reply.raw, parts.silentMs);
    return undefined;
  });
}

function isPlainStream({ statusCode, headers }: IncomingMessage): boolean {
  const isStream = /^text\/event-stream\b/i.test(headers['content-type'] ?? '');
  return statusCode === 200 && isStream && headers['content-encoding'] === undefined;
}

/** In an event stream, an empty line ends a block. A line ends with \r, \n or both. */
const blockEnd = /(\n\n|\n\r\n?|\r\r\n?)$/;
const blockEndBytes = 3;

/**
 * While upstream is silent, pings keep the connection to the reader open (reading 9.7). They are sent only between
 * blocks, because inside a block they would become part of it, and only if the reader has received everything so far.
 */
function pingInSilence(from: IncomingMessage, to: ServerResponse, silentMs: number): void {
  let tail = '\n\n';
  const timer = setInterval(() => {
    if (blockEnd.test(tail) && !to.writableNeedDrain && !to.writableEnded) to.write(pingText);
  }, silentMs);
  from.on('data', (bytes: Buffer) => {
    tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - blockEndBytes))).slice(-blockEndBytes);
    timer.refresh();
  });
  to.once('close', () => clearInterval(timer));
}

/** `Last-Event-ID` as sent, even if it is empty: upstream interprets it. */
function resumed({ raw }: FastifyRequest): Record<string, string> {
  const header = raw.headers[lastEventId.toLowerCase()];
  return typeof header === 'string' ? { [lastEventId]: header } : {};
}
