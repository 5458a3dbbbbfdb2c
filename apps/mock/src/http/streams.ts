import { headerNames, type StreamResume } from '@shiplog/contract';
import type { Broadcasts } from '../broadcasts.ts';
import type { MockApi } from './api.ts';

/** Node gives header names in lower case. */
const lastEventIdHeader = headerNames.lastEventId.toLowerCase();

/** The deployment stream and the mock's own, both live only (companion services §4, §6). */
export function addStreams(api: MockApi, { deployments, ingest }: Broadcasts): void {
  api.serve('streamDeployments', async ({ query, request, reply }) => {
    // An id that is asked for in vain is told so, whatever it is (reading 10.1).
    const lastEventId = request.raw.headers[lastEventIdHeader] ?? query.last_event_id;
    const resume: StreamResume = lastEventId === undefined ? 'live' : 'ignored';
    await deployments.open(reply.raw, {
      headOnly: request.method === 'HEAD',
      filter: query.service,
      headers: { [headerNames.streamResume]: resume },
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
