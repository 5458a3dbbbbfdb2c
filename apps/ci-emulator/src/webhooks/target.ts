import { setTimeout as pause } from 'node:timers/promises';
import type { CiWebhookRequest, WebhookMode } from '@shiplog/companions';
import type { HookEvent } from './events.ts';
import { deliveryHeaders } from './signatures.ts';

/** One delivery; a redelivery has the same id. */
export interface Sendable extends HookEvent {
  readonly id: string;
  readonly text: string;
}

export interface Outcome {
  readonly at: number;
  /** 0 if no response arrived. */
  readonly status: number;
  readonly durationMs: number;
}

export interface TargetParts {
  readonly id: number;
  readonly request: CiWebhookRequest;
  readonly events: readonly string[];
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onSent: (target: Target, sendable: Sendable, outcome: Outcome) => void;
}

const answerMs = 10_000;
/** GitLab pauses a target after this many failures in a row, for a minute up to a day (CI emulator §8.1). */
const failuresMax = 4;
const pauseMinMs = 60_000;
const pauseMaxMs = 86_400_000;

/** A webhook target. Deliveries are sent in order, one at a time. */
export class Target {
  readonly id: number;
  readonly request: CiWebhookRequest;
  readonly events: readonly string[];
  readonly mode: WebhookMode;
  pausedUntil: number | undefined;
  readonly #parts: TargetParts;
  readonly #removed = new AbortController();
  #queue: Promise<void> = Promise.resolve();
  /** In `reorder` mode, the delivery that waits for the next one. */
  #held: Sendable | undefined;
  #offered = 0;
  #failures = 0;
  #pauseMs = pauseMinMs;

  constructor(parts: TargetParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.request = parts.request;
    this.events = parts.events;
    this.mode = (parts.request.mode ?? 'normal') as WebhookMode;
  }

  /** Queues an event according to the mode. */
  offer(sendable: Sendable): void {
    this.#offered += 1;
    if (this.mode === 'drop' && this.#offered % 2 === 0) return;
    if (this.mode === 'reorder' && this.#held === undefined) {
      this.#held = sendable;
      return;
    }
    void this.send(sendable);
    if (this.mode === 'duplicate') void this.send(sendable);
    if (this.#held) void this.send(this.#held);
    this.#held = undefined;
  }

  /** Sends one delivery and resolves with its outcome, or with `undefined` if it was not sent. */
  send(sendable: Sendable): Promise<Outcome | undefined> {
    const sent = this.#queue.then(() => this.#attempt(sendable));
    this.#queue = sent.then(() => undefined);
    return sent;
  }

  /** Drops queued deliveries. */
  remove(): void {
    this.#removed.abort();
  }

  /** Resolves when the queue is empty. */
  idle(): Promise<void> {
    return this.#queue;
  }

  async #attempt(sendable: Sendable): Promise<Outcome | undefined> {
    const { now, signal, onSent, request } = this.#parts;
    const stopped = AbortSignal.any([signal, this.#removed.signal]);
    const delayMs = this.mode === 'late' ? (request.delay_ms ?? 1000) : 0;
    if (delayMs > 0) await pause(delayMs, undefined, { signal: stopped }).catch(() => undefined);
    if (stopped.aborted || (this.pausedUntil !== undefined && now() < this.pausedUntil)) return undefined;
    const at = now();
    const begun = performance.now();
    const status = await this.#post(sendable, stopped);
    if (stopped.aborted) return undefined;
    const outcome = { at, status, durationMs: Math.round(performance.now() - begun) };
    this.#count(status);
    onSent(this, sendable, outcome);
    return outcome;
  }

  async #post({ event, id, text }: Sendable, stopped: AbortSignal): Promise<number> {
    const { request, now } = this.#parts;
    const headers = deliveryHeaders({
      tool: request.tool,
      hookId: this.id,
      deliveryId: id,
      event,
      body: text,
      secret: request.secret,
      signingToken: request.signing_token,
      isBad: this.mode === 'bad-signature',
      now: now(),
    });
    try {
      const signal = AbortSignal.any([stopped, AbortSignal.timeout(answerMs)]);
      const answer = await fetch(request.url, { method: 'POST', headers, body: text, redirect: 'manual', signal });
      void answer.body?.cancel().catch(() => undefined);
      return answer.status;
    } catch {
      return 0;
    }
  }

  #count(status: number): void {
    if (status >= 200 && status < 300) {
      this.#failures = 0;
      this.#pauseMs = pauseMinMs;
      this.pausedUntil = undefined;
      return;
    }
    this.#failures += 1;
    if (this.request.tool !== 'gitlab' || this.#failures < failuresMax) return;
    this.pausedUntil = this.#parts.now() + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, pauseMaxMs);
  }
}
