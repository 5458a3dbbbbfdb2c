import { setTimeout as pause } from 'node:timers/promises';
import type { DeploymentEventIngest } from '@shiplog/contract';
import { nilId, streams } from '@shiplog/contract';
import { follow } from '@shiplog/streams';
import { anEvent, Watchers } from '@shiplog/testing';
import { post } from '../../../apps/service/test/support/posting.ts';

/** A pipeline waits so long between two posts, and before it tries one again that was refused. */
const postEveryMs = 10;
const retryMs = 100;
/** What the service tells browsers to wait before they reconnect. */
const reconnectMs = 2000;

/** What one event went through until it was answered 201. */
export interface Delivery {
  readonly event: DeploymentEventIngest;
  readonly id: string;
  /** The statuses of the attempts before; 0 = no answer. */
  readonly refusals: readonly number[];
  /** From the first attempt to the 201. */
  readonly ms: number;
  readonly answeredAt: number;
}

/** Pipelines that post steadily, one event after the other, each until it is answered 201. */
export class Pipelines {
  readonly deliveries: Delivery[] = [];
  readonly #url: string;
  readonly #loops: Promise<void>[];
  readonly #watchers = new Watchers();
  #stopped = false;

  constructor(url: string, services: readonly string[]) {
    this.#url = url;
    this.#loops = services.map((service) => this.#loop(service));
  }

  /** Resolves when so many more are delivered. */
  delivers(more: number): Promise<void> {
    const count = this.deliveries.length + more;
    return this.#watchers.until(() => this.deliveries.length >= count);
  }

  /** Resolves when the last event of each is delivered. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  async #loop(service: string): Promise<void> {
    while (!this.#stopped) {
      this.deliveries.push(await this.#deliver(anEvent({ service })));
      this.#watchers.changed();
      await pause(postEveryMs);
    }
  }

  async #deliver(event: DeploymentEventIngest): Promise<Delivery> {
    const startedAt = performance.now();
    const refusals: number[] = [];
    for (;;) {
      const { status, id } = await attempt(this.#url, event);
      const answeredAt = performance.now();
      if (id !== undefined) return { event, id, refusals, ms: answeredAt - startedAt, answeredAt };
      refusals.push(status);
      await pause(retryMs);
    }
  }
}

/** One post; nginx answers some in its own words, which are no JSON. */
async function attempt(url: string, event: DeploymentEventIngest): Promise<{ status: number; id: string | undefined }> {
  try {
    const posted = await post(url, event);
    return { status: posted.status, id: posted.event?.id };
  } catch (error) {
    return { status: error instanceof SyntaxError ? 502 : 0, id: undefined };
  }
}

/** A browser's way to follow the stream: it comes back two seconds after it was cut, with the last id it saw. */
export class Browser {
  readonly frames: { readonly id: string; readonly at: number }[] = [];
  /** How long each time without a connection was, in ms. */
  readonly gapsMs: number[] = [];
  readonly #watchers = new Watchers();
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #downAt: number | undefined;
  #connected = false;

  constructor(url: string, service?: string) {
    this.#ended = this.#follow(`${url}${streams.deployments.path}${service ? `?service=${service}` : ''}`);
  }

  /** Resolves when it is connected and gets a further frame. */
  follows(): Promise<void> {
    const before = this.frames.length;
    return this.#watchers.until(() => this.#connected && this.frames.length > before);
  }

  /** Resolves when it got the frame with this id. */
  reaches(id: string): Promise<void> {
    return this.#watchers.until(() => this.frames.some((frame) => frame.id === id));
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
        this.#connected = true;
        if (this.#downAt !== undefined) this.gapsMs.push(performance.now() - this.#downAt);
        this.#downAt = undefined;
        this.#watchers.changed();
      },
      onDown: () => {
        this.#connected = false;
        this.#downAt ??= performance.now();
      },
    });
    for await (const { id } of frames) {
      this.frames.push({ id: id ?? '', at: performance.now() });
      this.#watchers.changed();
    }
  }
}
