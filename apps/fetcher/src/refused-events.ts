import type { Refusal } from '@shiplog/client';
import type { Logger } from 'pino';

export interface RefusedEventsOptions {
  readonly log: Logger;
  /** Called once per pointer. */
  onNew(sentence: string): void;
}

/** Events that the service rejects as invalid (fetcher §5.4): logs all of them, reports each kind of error once. */
export class RefusedEvents {
  readonly #options: RefusedEventsOptions;
  readonly #told = new Set<string>();

  constructor(options: RefusedEventsOptions) {
    this.#options = options;
  }

  add({ event, status, problem }: Refusal): void {
    const { log, onNew } = this.#options;
    const { deployment_id, service, environment } = event;
    const errors = problem?.errors ?? [];
    log.warn({ deployment_id, service, environment, status, errors }, 'the service rejected an event; skipping it');
    for (const { pointer, message } of errors.length > 0
      ? errors
      : [{ pointer: '', message: `is refused (${status})` }]) {
      if (this.#told.has(pointer)) continue;
      this.#told.add(pointer);
      onNew(`The service rejects events: ${pointer || 'the body'} ${message}. Skipped, for example: ${deployment_id}.`);
    }
  }
}
