import { ingestStream, type MockSource } from '@shiplog/companions';
import { headerNames, streams } from '@shiplog/contract';
import { Broadcast, type StreamTimes } from '@shiplog/streams';
import type { DeploymentRow } from './deployment-log.ts';

/** The mock's two streams. Neither replays (companion services §4, §6). */
export class Broadcasts {
  readonly deployments: Broadcast;
  readonly ingest: Broadcast;

  constructor(times: StreamTimes) {
    // The mock can't resume after an id, and always reports that (reading 10.1).
    this.deployments = new Broadcast(times, headerNames.streamResume);
    this.ingest = new Broadcast(times);
  }

  publish({ id, service, json }: DeploymentRow, source: MockSource, receivedAt: Date): void {
    const data = `{"event":${json},"source":"${source}","received_at":"${receivedAt.toISOString()}"}`;
    this.deployments.publish({ id, event: streams.deployments.frameName, data: json, key: service });
    this.ingest.publish({ id, event: ingestStream.frameName, data });
  }

  /** Ends every connection cleanly. */
  stop(): void {
    this.deployments.stop();
    this.ingest.stop();
  }
}
