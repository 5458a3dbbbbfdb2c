import type { Stoppable } from '@shiplog/server';
import { Feed, type StreamTimes } from '@shiplog/streams';

/** The feeds that are made here; the deployment stream is passed through. */
export class Feeds implements Stoppable {
  readonly posted: Feed;
  readonly control: Feed;
  readonly components: Feed;

  constructor(times: StreamTimes) {
    this.posted = new Feed(times);
    this.control = new Feed(times);
    this.components = new Feed(times);
  }

  /** Ends every connection cleanly. */
  async stop(): Promise<void> {
    for (const feed of [this.posted, this.control, this.components]) feed.stop();
  }
}
