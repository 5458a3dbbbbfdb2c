import { handOver } from '@shiplog/server';
import type { Broadcasts } from '../broadcasts.ts';
import type { DriverApi } from './api.ts';

/** The broadcasts of the driver (companion services §4, §6). */
export function addBroadcasts(api: DriverApi, { posted, control, components }: Broadcasts): void {
  api.serve('streamPosted', (connection) => handOver(posted, connection));
  api.serve('streamDemoControl', (connection) => handOver(control, connection));
  api.serve('streamDemoComponents', (connection) => handOver(components, connection));
}
