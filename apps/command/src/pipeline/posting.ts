import type { Client, LogPoster, Refusal } from '@shiplog/client';
import type { DeploymentEvent, DeploymentEventIngest } from '@shiplog/contract';
import type { Context } from '../context.ts';
import { exitCodes, Failure } from '../failure.ts';
import { failureOf, refusal } from '../failures.ts';

/** An event that is to be in the log once. */
export interface Wanted {
  readonly event: DeploymentEventIngest;
  readonly reporter: string;
  /** Its instant is this call's own, so nobody can have posted it before. */
  readonly isFresh: boolean;
}

/** What became of it; a refused one with the sentence of the refusal. */
export type Outcome =
  | { readonly result: 'stored' | 'known'; readonly row: DeploymentEvent | undefined }
  | { readonly result: 'refused'; readonly failure: Failure };

export interface PostingOptions {
  /** For everything together. */
  readonly timeoutMs: number;
  /** Cuts what is under way; that of the context where absent. */
  readonly signal?: AbortSignal;
}

/** Answers that say nothing of the event and may be another the next time. */
const passing: readonly number[] = [408, 425, 429];
const forContent: readonly number[] = [413, 422];
/** Until the log is asked again for a row that is to be printed. */
const retryMs = 1000;

/**
 * Posts so that a repeated call doubles nothing, by the rule of the client's poster: after an attempt whose outcome is
 * unknown the log is asked before the next one (command.md 3.3). It waits for a service that is away until the time of
 * the call is over. To be closed.
 */
export class Posting {
  readonly #context: Context;
  readonly #client: Client;
  readonly #poster: LogPoster;
  /** Aborted by the one who called, by the time, and by a refusal that any event would meet. */
  readonly #cut: AbortSignal;
  readonly #ending = new AbortController();
  readonly #closing = new AbortController();
  readonly #rows = new Map<DeploymentEventIngest, DeploymentEvent>();
  readonly #refusals = new Map<DeploymentEventIngest, Failure>();
  readonly #rowKey: (row: DeploymentEventIngest) => string;
  #lastError: unknown;
  /** A refusal that any event of this caller would meet. */
  #denied: Failure | undefined;

  /** @throws Failure where address or key cannot be used. */
  static async open(context: Context, options: PostingOptions): Promise<Posting> {
    return new Posting(await import('@shiplog/client'), await context.client(), context, options);
  }

  private constructor(
    { LogPoster, keyOf }: typeof import('@shiplog/client'),
    client: Client,
    context: Context,
    { timeoutMs, signal = context.signal }: PostingOptions,
  ) {
    const { clock, out } = context;
    this.#context = context;
    this.#cut = AbortSignal.any([signal, this.#ending.signal]);
    this.#client = cutBy(this.#cut, client);
    this.#rowKey = keyOf.row;
    this.#poster = new LogPoster({
      client: this.#client,
      clock,
      identities: ['row'],
      isFinal: ({ status }) => status < 500 && !passing.includes(status),
      observer: {
        onStored: (event, row) => this.#rows.set(event, row),
        onRefused: (refused) => this.#refuse(refused),
        onWait: (error, ms) => {
          if (this.#cut.aborted) return;
          this.#lastError = error;
          out.note(`${failureOf(error).message} The next attempt is in ${Math.ceil(ms / 1000)} s.`);
        },
      },
    });
    void clock.sleep(timeoutMs, this.#closing.signal).then(() => {
      if (!this.#closing.signal.aborted) this.#ending.abort(this.#timeOver(timeoutMs));
    });
  }

  /** Posts in order of time within a slot, several slots at once. @throws Failure where they cannot all be settled. */
  async post(wanted: readonly Wanted[]): Promise<Outcome[]> {
    const settling = wanted.map(({ event, reporter, isFresh }, order) =>
      this.#poster.settle([{ event, order, identity: 'row', isFresh }], reporter, this.#cut),
    );
    await Promise.allSettled(settling);
    if (this.#denied) throw this.#denied;
    const outcomes: Outcome[] = [];
    for (const [index, { event }] of wanted.entries()) {
      const [result] = (await settling[index]) ?? [];
      const failure = this.#refusals.get(event);
      if (result === 'refused' && failure) outcomes.push({ result, failure });
      else if (result === 'posted') outcomes.push({ result: 'stored', row: this.#rows.get(event) });
      else outcomes.push(await this.known(event));
    }
    return outcomes;
  }

  /** What is to be said of an event that the log has: with its row where rows are printed, and the log gives it in time. */
  async known(event: DeploymentEventIngest): Promise<Outcome> {
    let row: DeploymentEvent | undefined;
    while (this.#context.out.isJson && !this.#cut.aborted) {
      try {
        row = await this.#find(event);
        break;
      } catch {
        await this.#context.clock.sleep(retryMs, this.#cut);
      }
    }
    return { result: 'known', row };
  }

  async #find(event: DeploymentEventIngest): Promise<DeploymentEvent | undefined> {
    let cursor: string | null | undefined;
    do {
      const query = { deployment_id: event.deployment_id, limit: 500, ...(cursor && { cursor }) };
      const { body } = await this.#client.listDeployments({ query });
      const row = body.items.find((item) => this.#rowKey(item) === this.#rowKey(event));
      if (row) return row;
      cursor = body.next_cursor;
    } while (cursor);
    return undefined;
  }

  /** Aborted when nothing more can be posted. */
  get signal(): AbortSignal {
    return this.#cut;
  }

  close(): void {
    this.#closing.abort();
  }

  #refuse({ event, status, problem }: Refusal): void {
    const failure = refusal({ status, problem });
    this.#refusals.set(event, failure);
    if (forContent.includes(status)) return;
    this.#denied = failure;
    this.#ending.abort(failure);
  }

  #timeOver(timeoutMs: number): Failure {
    const why = this.#lastError === undefined ? '' : ` ${failureOf(this.#lastError).message}`;
    const sentence = `The log did not take everything within ${timeoutMs / 1000} s.`;
    return new Failure(exitCodes.away, `${sentence}${why}`, this.#lastError);
  }
}

/** The same calls, cut as soon as the signal says so. */
function cutBy(cut: AbortSignal, client: Client): Client {
  const both = (signal: AbortSignal | undefined) => (signal ? AbortSignal.any([cut, signal]) : cut);
  return {
    ...client,
    appendDeployment: (input) => client.appendDeployment({ ...input, signal: both(input.signal) }),
    listDeployments: (input = {}) => client.listDeployments({ ...input, signal: both(input.signal) }),
  };
}
