import { headerNames } from '@shiplog/contract';
import type { LogStream, StreamRequest } from '@shiplog/streams';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Streams } from '../streams.ts';
import type { CoreApi } from './api.ts';

/** Node gives header names in lower case. */
const lastEventIdHeader = headerNames.lastEventId.toLowerCase();

/** The three streams (§4 Stream and Control, §6). */
export function addStreams(api: CoreApi, { deployments, control, components }: Streams): void {
  api.serve('streamDeployments', ({ query, ...connection }) =>
    open(deployments, connection, { filter: query.service, lastEventId: query.last_event_id }),
  );
  api.serve('streamControl', ({ query, ...connection }) => open(control, connection, { filter: query.component }));
  api.serve('streamComponents', (connection) => open(components, connection, {}));
}

/** Hands a connection over to a stream. The header `Last-Event-ID` wins over the query (reading 6.4). */
async function open(
  stream: LogStream,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { lastEventId, filter }: Omit<StreamRequest, 'headOnly'>,
): Promise<undefined> {
  // Read as it was sent: an empty one is no uuid and is told so, unlike an absent one.
  const header = request.raw.headers[lastEventIdHeader];
  await stream.open(reply.raw, {
    lastEventId: typeof header === 'string' ? header : lastEventId,
    filter,
    headOnly: request.method === 'HEAD',
  });
  reply.hijack();
}
