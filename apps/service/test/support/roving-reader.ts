import type { DeploymentEvent } from '@shiplog/contract';
import { StreamReader } from '@shiplog/testing';

export interface RovingReaderOptions {
  /** The current URLs of the instances. They may change while the reader runs. */
  readonly urls: readonly string[];
  readonly service: string | undefined;
  /** The id to resume after. `undefined` means live. */
  readonly lastEventId: string | undefined;
  /** Returns a number from 0 to 1, which selects the next instance and the number of frames to read from it. */
  readonly random: () => number;
}

const framesPerVisitMax = 40;

/**
 * A reader that repeatedly disconnects and resumes on any instance, with the id of the last frame it received. It stops
 * at the event of the deployment `theEnd`.
 */
export class RovingReader {
  /** The events in the frames, and the ids of the frames. */
  readonly events: DeploymentEvent[] = [];
  readonly ids: string[] = [];
  visits = 0;
  /** Resolves when the first connection is open. */
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

  /** Reads some frames. Returns whether the end was among them. */
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

  /** `undefined` if the instance has just stopped. The next visit uses another instance. */
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

/** The deployment that ends a run: first one in each filtered service, and then one in the service with this name. */
export const theEnd = 'the-end';
