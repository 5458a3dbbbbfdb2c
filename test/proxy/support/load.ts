import { setTimeout as pause } from 'node:timers/promises';
import { type DeploymentEventIngest, nilId, streams } from '@shiplog/contract';
import { follow } from '@shiplog/streams';
import { anEvent, Watchers } from '@shiplog/testing';
import { post } from '../../../apps/service/test/support/posting.ts';
import type { Post, Reading } from '../../faults/history.ts';

/** The delay before a pipeline retries a rejected post. */
const retryMs = 100;
/** The reconnect delay that the service sends. */
const reconnectMs = 2000;

/** The attempts of one pipeline until it gets a 201. */
export interface Delivery {
  readonly id: string;
  readonly service: string;
  /** The statuses of the earlier attempts; 0 means no response. */
  readonly refusals: readonly number[];
  /** The time from the first attempt to the 201. */
  readonly ms: number;
  readonly answeredAt: number;
}

/** Pipelines that each post sequentially at a steady rate and retry every post until they get a 201. */
export class Pipelines {
  readonly deliveries: Delivery[] = [];
  /** Every attempt. */
  readonly posts: Post[] = [];
  readonly #url: string;
  readonly #everyMs: number;
  readonly #loops: Promise<void>[];
  readonly #watchers = new Watchers();
  #stopped = false;

  /** @param everyMs the delay between two posts of a pipeline. */
  constructor(url: string, services: readonly string[], everyMs: number) {
    this.#url = url;
    this.#everyMs = everyMs;
    this.#loops = services.map((service) => this.#loop(service));
  }

  /** Resolves when this many more events are delivered. */
  delivers(more: number): Promise<void> {
    const count = this.deliveries.length + more;
    return this.#watchers.until(() => this.deliveries.length >= count);
  }

  /** The newest delivered event of one service or of all services. */
  newest(service?: string): string | undefined {
    return this.deliveries.findLast((delivery) => (service ?? delivery.service) === delivery.service)?.id;
  }

  /** Resolves when the last event of each pipeline is delivered. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  async #loop(service: string): Promise<void> {
    while (!this.#stopped) {
      this.deliveries.push(await this.#deliver(service));
      this.#watchers.changed();
      await pause(this.#everyMs);
    }
  }

  /** Delivers one event. Each attempt has a separate deployment id, so that its outcome can be determined later. */
  async #deliver(service: string): Promise<Delivery> {
    const startedAt = performance.now();
    const refusals: number[] = [];
    for (;;) {
      const event = anEvent({ service });
      const sentAt = performance.now();
      const { status, id, problem } = await attempt(this.#url, event);
      const answeredAt = performance.now();
      // Without a response from the service, it is unknown whether the event was stored.
      const isClear = id !== undefined || problem !== undefined;
      this.posts.push({
        key: event.deployment_id,
        sentAt,
        completedBefore: 0,
        answeredAt,
        status: isClear ? status : undefined,
        id,
        problem,
      });
      if (id !== undefined) return { id, service, refusals, ms: answeredAt - startedAt, answeredAt };
      refusals.push(status);
      await pause(retryMs);
    }
  }
}

/** Sends one post; a proxy's own responses are not JSON. */
async function attempt(url: string, event: DeploymentEventIngest) {
  try {
    const posted = await post(url, event);
    return { status: posted.status, id: posted.event?.id, problem: posted.problem };
  } catch (error) {
    return { status: error instanceof SyntaxError ? 502 : 0, id: undefined, problem: undefined };
  }
}

/** Follows the stream like a browser: reconnects after two seconds with the last id. */
export class Browser {
  readonly reading: Reading;
  /** The durations of periods without a connection, in ms. */
  readonly gapsMs: number[] = [];
  readonly #watchers = new Watchers();
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #downAt: number | undefined;

  constructor(url: string, name: string, service?: string) {
    this.reading = { reader: name, service, after: nilId, home: undefined, ids: [], arrivedAt: [] };
    this.#ended = this.#follow(`${url}${streams.deployments.path}${service ? `?service=${service}` : ''}`);
  }

  /** Resolves when the reader has the frame with this id. */
  reaches(id: string): Promise<void> {
    return this.#watchers.until(() => this.reading.ids.includes(id));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  async #follow(url: string): Promise<void> {
    const frames = follow({
      url,
      lastEventId: nilId,
      signal: this.#stop.signal,
      backoffMinMs: reconnectMs,
      backoffMaxMs: reconnectMs,
      onOpen: () => {
        if (this.#downAt !== undefined) this.gapsMs.push(performance.now() - this.#downAt);
        this.#downAt = undefined;
      },
      onDown: () => {
        this.#downAt ??= performance.now();
      },
    });
    for await (const { id } of frames) {
      this.reading.ids.push(id ?? '');
      this.reading.arrivedAt.push(performance.now());
      this.#watchers.changed();
    }
  }
}
