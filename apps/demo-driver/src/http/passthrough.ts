import type { IncomingMessage, ServerResponse } from 'node:http';
import { searchOf } from '@shiplog/client';
import { headerNames, keyHeaders, streams } from '@shiplog/contract';
import type { FastifyRequest } from 'fastify';
import type { DemoSurface } from './surface.ts';
import { callUpstream, headOf } from './upstream.ts';

export interface PassthroughParts {
  readonly writeApiUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
}

const { lastEventId, streamResume } = headerNames;

/** Of the open ones, the answers that browsers read. */
export class Passthroughs {
  readonly #open = new Set<ServerResponse>();
  #stopped = false;

  /** Hands on what comes, no faster than it is taken, until upstream ends, the reader leaves or the driver stops. */
  pass(from: IncomingMessage, to: ServerResponse): void {
    this.#open.add(to);
    to.on('close', () => this.#open.delete(to));
    to.on('error', () => undefined);
    // A stream that is cut has no other end than one that ends: the reader comes back by itself.
    from.on('error', () => to.end());
    from.pipe(to);
    if (this.#stopped) to.end();
  }

  stop(): void {
    this.#stopped = true;
    for (const reader of this.#open) {
      reader.end();
    }
  }
}

/** `GET /demo/deployments-stream`: the deployment stream, byte for byte (companion services §4, reading 9.7). */
export function addPassthrough(surface: DemoSurface, passthroughs: Passthroughs, parts: PassthroughParts): void {
  surface.serve('streamDemoDeployments', async ({ query: { service, last_event_id }, request, reply }) => {
    const answer = await callUpstream({
      url: `${parts.writeApiUrl}${streams.deployments.path}${searchOf({ service, last_event_id })}`,
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
    if (request.method === 'HEAD') reply.raw.end();
    else passthroughs.pass(answer, reply.raw);
    return undefined;
  });
}

/** As it was sent: an empty one is for upstream to judge, too. */
function resumed({ raw }: FastifyRequest): Record<string, string> {
  const header = raw.headers[lastEventId.toLowerCase()];
  return typeof header === 'string' ? { [lastEventId]: header } : {};
}
