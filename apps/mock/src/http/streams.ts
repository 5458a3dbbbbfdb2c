import { handOver } from '@shiplog/server';
import type { Broadcasts } from '../broadcasts.ts';
import type { MockApi } from './api.ts';

/** The deployment stream and the mock's ingest stream, both without replay (companion services §4, §6). */
export function addStreams(api: MockApi, { deployments, ingest }: Broadcasts): void {
  api.serve('streamDeployments', ({ query, ...connection }) =>
    handOver(deployments, connection, { filter: query.service, lastEventId: query.last_event_id }),
  );
  api.serve('streamIngest', (connection) => handOver(ingest, connection));
}
