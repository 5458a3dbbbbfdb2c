import type { Clock } from '@shiplog/client';
import { answeredStatus, type Client } from '@shiplog/client';
import { driverLimits, type ErrorFrame, type PostedFrame } from '@shiplog/companions';
import { type DeploymentEventIngest, headerNames } from '@shiplog/contract';
import type { BroadcastFrame } from '@shiplog/streams';
import type { Logger } from 'pino';
import type { Halt } from './session.ts';

export interface PosterOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly publish: (frame: BroadcastFrame) => void;
  readonly logger: Logger;
}

/** The status reported for a call without a response (reading 9.6). */
const noAnswer = 0;
const stored = 201;

/**
 * Posts events and publishes each outcome. After a network error or a 5xx, it makes up to three attempts with growing
 * pauses; otherwise only one (§7 rule 2, reading 9.6).
 */
export class Poster {
  readonly #options: PosterOptions;

  constructor(options: PosterOptions) {
    this.#options = options;
  }

  /** Resolves with whether the event was stored. Never rejects. */
  async post(event: DeploymentEventIngest, reporter: string, halt: Halt): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      const status = await this.#attempt(event, reporter, halt.aborting);
      if (status === stored) {
        this.#publishPosted(event, reporter);
        return true;
      }
      const again = attempt < driverLimits.attempts && isRetryable(status);
      if (again) await this.#options.clock.sleep(driverLimits.retryWaitsMs[attempt - 1] ?? 0, halt.stopping);
      if (again && !halt.stopping.aborted) continue;
      this.#publishGivenUp(event, { http_status: status, attempt, reporter });
      return false;
    }
  }

  async #attempt(body: DeploymentEventIngest, reporter: string, signal: AbortSignal): Promise<number> {
    const { client, logger } = this.#options;
    try {
      const headers = { [headerNames.progressReporter]: reporter };
      return (await client.appendDeployment({ body, headers, signal })).status;
    } catch (error) {
      logger.debug({ err: error }, 'a post attempt failed');
      return answeredStatus(error) ?? noAnswer;
    }
  }

  #publishPosted(
    { deployment_id, service, environment, status, happened_at }: DeploymentEventIngest,
    reporter: string,
  ) {
    const fields = { deployment_id, service, environment, status, happened_at };
    const data: PostedFrame = { ...fields, posted_at: this.#now(), reporter };
    this.#options.publish({ event: 'posted', data: JSON.stringify(data) });
  }

  #publishGivenUp(
    { deployment_id, service, environment }: DeploymentEventIngest,
    outcome: Pick<ErrorFrame, 'http_status' | 'attempt' | 'reporter'>,
  ) {
    const { publish, logger } = this.#options;
    const { http_status: status, attempt: attempts } = outcome;
    logger.warn({ status, attempts, deployment_id, service, environment }, 'gave up posting an event');
    const data: ErrorFrame = { deployment_id, ...outcome, posted_at: this.#now() };
    publish({ event: 'error', data: JSON.stringify(data) });
  }

  #now(): string {
    return this.#options.clock.now().toISOString();
  }
}

function isRetryable(status: number): boolean {
  return status === noAnswer || status >= 500;
}
