import { headerNames, type StreamName } from '@shiplog/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LiveStream } from '../streams.ts';
import type { CoreApi } from './api.ts';

/** Node gives header names in lower case. */
const lastEventIdHeader = headerNames.lastEventId.toLowerCase();

/** The three streams (§4 Stream and Control, §6). */
export function addStreams(api: CoreApi, live: Readonly<Record<StreamName, LiveStream>>): void {
  api.serve('streamDeployments', async ({ query, request, reply }) => {
    await openStream(live.deployments, { request, reply, filter: query.service, lastEventId: query.last_event_id });
    return undefined;
  });
  api.serve('streamControl', async ({ query, request, reply }) => {
    await openStream(live.control, { request, reply, filter: query.component });
    return undefined;
  });
  api.serve('streamComponents', async ({ request, reply }) => {
    await openStream(live.components, { request, reply });
    return undefined;
  });
}

/** Hands a connection over to a stream. The header `Last-Event-ID` wins over the query (reading 6.4). */
async function openStream(
  stream: LiveStream,
  from: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly filter?: string | undefined;
    readonly lastEventId?: string | undefined;
  },
): Promise<void> {
  // Read as it was sent: an empty one is no uuid and is told so, unlike an absent one.
  const header = from.request.raw.headers[lastEventIdHeader];
  await stream.open(from.reply.raw, {
    lastEventId: typeof header === 'string' ? header : from.lastEventId,
    filter: from.filter,
    headOnly: from.request.method === 'HEAD',
  });
  from.reply.hijack();
}
