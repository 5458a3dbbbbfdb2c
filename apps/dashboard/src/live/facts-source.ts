import { answeredStatus, type Client } from '@shiplog/client';
import { headerNames } from '@shiplog/contract';
import type { TabFacts, TabMessage } from './messages.ts';
import { retryAfterMs } from './request.ts';
import { seenEveryMs } from './source-times.ts';

/** A change is followed by others, so that one request reports them all. */
const settleMs = 1000;
const leastMs = 10_000;
/** Facts can also change merely because time passes. */
const everyMs = 60_000;

type FactsMessage = Extract<TabMessage, { readonly kind: 'facts' }>;

interface Known {
  readonly facts: TabFacts;
  readonly position: string;
  readonly etag: string | undefined;
}

const nothing: Known = { facts: { stages: [], places: [], emitters: [] }, position: '', etag: undefined };

/**
 * Requests the facts of the board (board-facts.md): when the board is known, after each change but at most every ten
 * seconds, and every minute. Only while a tab is visible, and never again from a service that doesn't provide them.
 */
export class FactsSource {
  readonly #client: Pick<Client, 'getBoardFacts'>;
  readonly #send: (message: FactsMessage) => void;
  #known: Known | undefined;
  /** When the next request is due; infinite before the board is known. */
  #dueAt = Number.POSITIVE_INFINITY;
  /** The earliest time of the next request. */
  #freeAt = 0;
  #seenAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: Pick<Client, 'getBoardFacts'>, send: (message: FactsMessage) => void) {
    this.#client = client;
    this.#send = send;
  }

  greet(send: (message: FactsMessage) => void): void {
    if (this.#known) send({ kind: 'facts', facts: this.#known.facts, position: this.#known.position });
  }

  /** The board has changed. The first call says that it is known. */
  changed(): void {
    this.#dueBy(this.#freeAt === 0 ? 0 : Math.max(Date.now() + settleMs, this.#freeAt));
  }

  /** A tab is visible, as it says every `seenEveryMs`. */
  seen(): void {
    this.#seenAt = Date.now();
    this.#dueBy(Number.POSITIVE_INFINITY);
  }

  #dueBy(atMs: number): void {
    this.#dueAt = Math.min(this.#dueAt, atMs);
    clearTimeout(this.#timer);
    if (this.#isAsking || this.#dueAt === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => {
      if (Date.now() - this.#seenAt < 1.1 * seenEveryMs) void this.#ask();
    }, this.#dueAt - Date.now());
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    this.#freeAt = Date.now() + leastMs;
    this.#dueAt = this.#freeAt - leastMs + everyMs;
    try {
      await this.#read();
    } catch (error) {
      if (answeredStatus(error) === 404) return this.#learn(nothing);
      this.#freeAt = Date.now() + Math.max(leastMs, retryAfterMs(error) ?? 0);
      this.#dueAt = this.#freeAt;
    }
    this.#isAsking = false;
    this.#dueBy(this.#dueAt);
  }

  async #read(): Promise<void> {
    const etag = this.#known?.etag;
    const { status, headers, body } = await this.#client.getBoardFacts({
      headers: etag === undefined ? {} : { [headerNames.ifNoneMatch]: etag },
    });
    const position = headers.get(headerNames.streamPosition) ?? '';
    if (status !== 304) this.#learn({ facts: body, position, etag: headers.get(headerNames.etag) ?? undefined });
    else if (this.#known) this.#learn({ ...this.#known, position });
  }

  #learn(known: Known): void {
    const facts = known.facts === this.#known?.facts ? undefined : known.facts;
    this.#known = known;
    this.#send({ kind: 'facts', facts, position: known.position });
  }
}
