import type { DeploymentEvent, DeploymentEventIngest } from '@shiplog/contract';
import { anEvent, testKeys } from '@shiplog/testing';

/** The result of a post: its status, and the event if it was stored. */
export interface Posted {
  readonly status: number;
  readonly event: DeploymentEvent | undefined;
  readonly headers: Headers;
  /** The `type` of the problem if it was not stored. */
  readonly problem: string | undefined;
}

/** Posts one event. Rejects if no response arrives; the event may or may not have been stored. */
export async function post(url: string, event: DeploymentEventIngest): Promise<Posted> {
  const response = await fetch(`${url}/api/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': testKeys.api },
    body: JSON.stringify(event),
  });
  const text = await response.text();
  const { status, headers } = response;
  const body = JSON.parse(text);
  return status === 201
    ? { status, headers, event: body, problem: undefined }
    : { status, headers, event: undefined, problem: body.type };
}

/** Clients that post without a pause until stopped, and record the responses. */
export class PostRun {
  /** The events whose posts returned 201. */
  readonly answered: DeploymentEvent[] = [];
  /** Every other status received. */
  readonly refused: number[] = [];
  /** The deployment ids of all posts, with or without a response. */
  readonly posted = new Set<string>();
  readonly #url: string;
  readonly #loops: Promise<void>[];
  #stopped = false;
  #wanted: { readonly count: number; readonly reached: () => void } | undefined;

  constructor(url: string, clients: number) {
    this.#url = url;
    this.#loops = Array.from({ length: clients }, () => this.#loop());
  }

  /** Resolves as soon as this many posts have returned 201. */
  reaches(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#wanted = { count, reached: resolve };
      this.#look();
    });
  }

  /** Resolves when every client has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  async #loop(): Promise<void> {
    while (!this.#stopped) {
      const event = anEvent({ version: '1.4.2', actor: 'alice' });
      this.posted.add(event.deployment_id);
      const posted = await post(this.#url, event).catch(() => undefined);
      // A post without a response may or may not have been stored.
      if (posted?.event) this.answered.push(posted.event);
      else if (posted) this.refused.push(posted.status);
      this.#look();
    }
  }

  #look(): void {
    if (this.#wanted && this.answered.length >= this.#wanted.count) this.#wanted.reached();
  }
}
