import type { Feed } from '@shiplog/streams';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Feeds } from '../feeds.ts';
import type { DemoSurface } from './surface.ts';

/** The feeds that are made here (companion services §4, §6). */
export function addFeeds(surface: DemoSurface, { posted, control, components }: Feeds): void {
  surface.serve('streamPosted', (context) => open(posted, context));
  surface.serve('streamDemoControl', (context) => open(control, context));
  surface.serve('streamDemoComponents', (context) => open(components, context));
}

async function open(
  feed: Feed,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<undefined> {
  await feed.open(reply.raw, { headOnly: request.method === 'HEAD' });
  reply.hijack();
}
