import { handOver } from '@shiplog/server';
import type { Streams } from '../live.ts';
import type { CoreApi } from './api.ts';

/** The three streams (§4 Stream and Control, §6). */
export function addStreams(api: CoreApi, { deployments, control, components }: Streams): void {
  api.serve('streamDeployments', ({ query, ...connection }) =>
    handOver(deployments, connection, { filter: query.service, lastEventId: query.last_event_id }),
  );
  api.serve('streamControl', ({ query, ...connection }) => handOver(control, connection, { filter: query.component }));
  api.serve('streamComponents', (connection) => handOver(components, connection));
}
