import type { Stoppable } from '@shiplog/server';
import { Broadcast, type StreamTimes } from '@shiplog/streams';

/** The broadcasts of the driver, except the deployment stream, which is passed through. */
export class Broadcasts implements Stoppable {
  readonly posted: Broadcast;
  readonly control: Broadcast;
  readonly components: Broadcast;

  constructor(times: StreamTimes) {
    this.posted = new Broadcast(times);
    this.control = new Broadcast(times);
    this.components = new Broadcast(times);
  }

  /** Ends every connection cleanly. */
  async stop(): Promise<void> {
    for (const broadcast of [this.posted, this.control, this.components]) broadcast.stop();
  }
}
