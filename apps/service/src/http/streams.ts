import { handOver } from '@shiplog/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import type { Streams } from '../live.ts';
import type { CoreApi } from './api.ts';

interface Opened {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly filter?: string | undefined;
  readonly lastEventId?: string | undefined;
}

/** What only one reader may get must not be cached for others (access.md 9.20). */
const ownHeaders = { 'Cache-Control': 'private, no-cache, no-transform' };

/** The three streams (§4 Stream and Control, §6). A stream ends when its reader may no longer read. */
export function addStreams(api: CoreApi, { deployments, control, components }: Streams, access: Access): void {
  const open = async (
    stream: Streams[keyof Streams],
    { request, reply, ...query }: Opened,
    right: 'read' | 'control' = 'read',
  ) => {
    const sender = access.guard.readerOf(request);
    await handOver(stream, { request, reply }, { ...query, headers: sender && right === 'read' ? ownHeaders : {} });
    if (sender) access.streamEnds.watch(reply.raw.socket, sender, right);
    return undefined;
  };
  api.serve('streamDeployments', ({ query, request, reply }) =>
    open(deployments, { request, reply, filter: query.service, lastEventId: query.last_event_id }),
  );
  api.serve('streamControl', ({ query, request, reply }) =>
    open(control, { request, reply, filter: query.component }, 'control'),
  );
  api.serve('streamComponents', ({ request, reply }) => open(components, { request, reply }));
}
