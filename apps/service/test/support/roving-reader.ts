import type { DeploymentEvent } from '@shiplog/contract';
import { StreamReader } from '@shiplog/testing';

export interface RovingReaderOptions {
  /** Where the instances listen at this moment; may change while the reader roves. */
  readonly urls: readonly string[];
  readonly service: string | undefined;
  /** Where to begin; `undefined` = live. */
  readonly lastEventId: string | undefined;
  /** A number from 0 to 1: which instance comes next and how many frames it may send before it is left. */
  readonly random: () => number;
}

const framesPerVisitMax = 40;

/**
 * A reader that is cut again and again and comes back, on whichever instance, with the id of the last frame it got.
 * It reads until the event whose deployment is called `theEnd`.
 */
export class RovingReader {
  /** What the frames said, and the ids that they carried beside it. */
  readonly events: DeploymentEvent[] = [];
  readonly ids: string[] = [];
  visits = 0;
  /** Resolves when its first connection is up. */
  readonly connected: Promise<void>;
  readonly ended: Promise<void>;
  readonly #options: RovingReaderOptions;
  #lastEventId: string | undefined;

  constructor(options: RovingReaderOptions) {
    this.#options = options;
    this.#lastEventId = options.lastEventId;
    let connected = () => {};
    this.connected = new Promise((resolve) => {
      connected = resolve;
    });
    this.ended = this.#rove(connected);
  }

  async #rove(connected: () => void): Promise<void> {
    let ended = false;
    while (!ended) {
      const reader = await this.#visit();
      if (!reader) continue;
      connected();
      ended = await this.#readSome(reader);
      reader.close();
    }
  }

  /** Reads some frames; gives whether the end was among them. */
  async #readSome(reader: StreamReader): Promise<boolean> {
    const frames = 1 + Math.floor(this.#options.random() * framesPerVisitMax);
    let taken = 0;
    let atEnd = false;
    await reader.until(() => {
      for (const frame of reader.frames.slice(taken)) {
        const event: DeploymentEvent = JSON.parse(frame.data);
        this.events.push(event);
        this.ids.push(frame.id ?? '');
        this.#lastEventId = frame.id;
        atEnd ||= event.deployment_id === theEnd && event.service === (this.#options.service ?? theEnd);
      }
      taken = reader.frames.length;
      return atEnd || taken >= frames || reader.ended;
    });
    return atEnd;
  }

  /** `undefined` where the instance has just stopped: the next visit is to another one. */
  async #visit(): Promise<StreamReader | undefined> {
    const { urls, random, service } = this.#options;
    const url = urls[Math.floor(random() * urls.length)];
    const search = service === undefined ? '' : `?service=${encodeURIComponent(service)}`;
    const headers = this.#lastEventId === undefined ? {} : { 'last-event-id': this.#lastEventId };
    const reader = await StreamReader.connect({ url: `${url}/api/events/stream${search}`, headers }).catch(
      () => undefined,
    );
    if (reader) this.visits += 1;
    return reader;
  }
}

/** Name of the deployment whose event ends a run, one in each filtered service and then one in a service called so. */
export const theEnd = 'the-end';
