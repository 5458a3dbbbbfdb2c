import { type FollowControlOptions, followComponents, followControl } from '@shiplog/client';
import type { ControlStreamEvent } from '@shiplog/contract';
import { outagesOf, type Stoppable } from '@shiplog/server';
import type { Frame } from '@shiplog/streams';
import type { Logger } from 'pino';

export type SubscriptionTimes = Pick<FollowControlOptions, 'heartbeatMs' | 'backoffMinMs' | 'backoffMaxMs' | 'random'>;

export interface SubscriptionsOptions {
  readonly baseUrl: string;
  readonly controlKey: string;
  readonly apiKey: string;
  readonly componentId: string;
  readonly times: SubscriptionTimes;
  /** Called with every frame of the control stream, even one that can't be parsed. */
  readonly onControlFrame: (frame: Frame) => void;
  /** Called with the event of each frame that can be parsed. */
  readonly onControl: (event: ControlStreamEvent) => void;
  /** Called with every frame of the stream of component events. */
  readonly onComponentFrame: (frame: Frame) => void;
  readonly logger: Logger;
}

/** Follows the two streams that the driver passes on, until it stops (reading 9.11). */
export class Subscriptions implements Stoppable {
  readonly #options: SubscriptionsOptions;
  readonly #stopping = new AbortController();
  #following: Promise<unknown> = Promise.resolve();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#following = Promise.all([this.#followControl(), this.#followComponents()]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
  }

  async #followControl(): Promise<void> {
    const { baseUrl, controlKey, componentId, onControlFrame, onControl } = this.#options;
    const followed = { ...this.#followed('control stream'), baseUrl, controlKey, component: componentId };
    for await (const event of followControl({ ...followed, onFrame: onControlFrame })) onControl(event);
  }

  async #followComponents(): Promise<void> {
    const { baseUrl, apiKey, onComponentFrame } = this.#options;
    const followed = { ...this.#followed('stream of component events'), baseUrl, apiKey };
    for await (const _ of followComponents({ ...followed, onFrame: onComponentFrame }));
  }

  #followed(stream: string) {
    const { times, logger } = this.#options;
    return { ...times, signal: this.#stopping.signal, ...outagesOf(stream, logger) };
  }
}
