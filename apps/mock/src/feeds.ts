import { ingestFeed, type MockSource, streams } from '@shiplog/contract';
import { Feed, type StreamTimes } from '@shiplog/streams';
import type { DeploymentRow } from './deployment-log.ts';

/** The mock's two streams. Neither replays (companion services §4, §6). */
export class Feeds {
  readonly deployments: Feed;
  readonly ingest: Feed;

  constructor(times: StreamTimes) {
    this.deployments = new Feed(times);
    this.ingest = new Feed(times);
  }

  publish({ id, service, json }: DeploymentRow, source: MockSource, receivedAt: Date): void {
    const data = `{"event":${json},"source":"${source}","received_at":"${receivedAt.toISOString()}"}`;
    this.deployments.publish({ id, event: streams.deployments.frameName, data: json, key: service });
    this.ingest.publish({ id, event: ingestFeed.frameName, data });
  }

  /** Ends every connection cleanly. */
  stop(): void {
    this.deployments.stop();
    this.ingest.stop();
  }
}
