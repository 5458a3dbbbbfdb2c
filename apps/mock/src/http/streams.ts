import { headerNames } from '@shiplog/contract';
import type { Broadcasts } from '../broadcasts.ts';
import type { MockApi } from './api.ts';

/** Node gives header names in lower case. */
const lastEventIdHeader = headerNames.lastEventId.toLowerCase();

/** The deployment stream and the mock's own, both live only (companion services §4, §6). */
export function addStreams(api: MockApi, { deployments, ingest }: Broadcasts): void {
  api.serve('streamDeployments', async ({ query, request, reply }) => {
    const header = request.raw.headers[lastEventIdHeader];
    await deployments.open(reply.raw, {
      lastEventId: typeof header === 'string' ? header : query.last_event_id,
      headOnly: request.method === 'HEAD',
      filter: query.service,
    });
    reply.hijack();
    return undefined;
  });

  api.serve('streamIngest', async ({ request, reply }) => {
    await ingest.open(reply.raw, { headOnly: request.method === 'HEAD' });
    reply.hijack();
    return undefined;
  });
}
