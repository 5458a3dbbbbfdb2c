import type { Broadcast } from '@shiplog/streams';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Broadcasts } from '../broadcasts.ts';
import type { DriverApi } from './api.ts';

/** The broadcasts of the driver (companion services §4, §6). */
export function addBroadcasts(api: DriverApi, { posted, control, components }: Broadcasts): void {
  api.serve('streamPosted', (context) => open(posted, context));
  api.serve('streamDemoControl', (context) => open(control, context));
  api.serve('streamDemoComponents', (context) => open(components, context));
}

async function open(
  broadcast: Broadcast,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<undefined> {
  await broadcast.open(reply.raw, { headOnly: request.method === 'HEAD' });
  reply.hijack();
}
