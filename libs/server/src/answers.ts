import type { ServerResponse } from 'node:http';
import { contractVersion, headerNames, productVersion } from '@shiplog/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from './route.ts';

/** A response that caches must not store. */
export function momentary(body: object): Answer {
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, json: JSON.stringify(body) };
}

/** A list that caches must revalidate before each use. */
export function listed(body: object): Answer {
  return { status: 200, headers: { 'Cache-Control': 'no-cache' }, json: JSON.stringify(body) };
}

/** One page of a listing. `items` are JSON texts; `next` is the cursor of the next page, `undefined` on the last one. */
export function pageOf(items: readonly string[], next: string | undefined, headers: Answer['headers'] = {}): Answer {
  const json = `{"items":[${items.join(',')}],"next_cursor":${next === undefined ? 'null' : JSON.stringify(next)}}`;
  return { status: 200, headers: { ...headers, 'Cache-Control': 'no-cache' }, json };
}

/** §4 Ops. */
export const livenessAnswer: Answer = { status: 200, json: '{"status":"ok"}' };

/** Reading 8.6. */
export const versionAnswer: Answer = {
  status: 200,
  json: JSON.stringify({ version: productVersion, contract: contractVersion }),
};

/** A stream of `libs/streams`. */
interface EventStream {
  open(response: ServerResponse, request: StreamQuery & { readonly headOnly: boolean }): Promise<void>;
}

interface StreamQuery {
  readonly lastEventId?: string | undefined;
  readonly filter?: string | undefined;
  /** Additional response headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Node lower-cases header names. */
const lastEventIdHeader = headerNames.lastEventId.toLowerCase();

/** Hands a connection over to a stream. The `Last-Event-ID` header has priority over the query (reading 6.4). */
export async function handOver(
  stream: EventStream,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  query: StreamQuery = {},
): Promise<undefined> {
  // Use the raw value: an empty id is rejected as invalid, unlike an absent one.
  const header = request.raw.headers[lastEventIdHeader];
  const lastEventId = typeof header === 'string' ? header : query.lastEventId;
  const { filter, headers } = query;
  await stream.open(reply.raw, { lastEventId, filter, headers, headOnly: request.method === 'HEAD' });
  reply.hijack();
}
