import type { Client, LogPoster, Refusal } from '@shiplog/client';
import type { DeploymentEvent, DeploymentEventIngest } from '@shiplog/contract';
import type { Context } from '../context.ts';
import { exitCodes, Failure, failureOf, refusal } from '../failure.ts';
import { TokenSender } from './identity-token.ts';

export interface EventToPost {
  readonly event: DeploymentEventIngest;
  readonly reporter: string;
  /** Whether the event's time is the time of this call, so that the log can't have the event yet. */
  readonly isFresh: boolean;
}

export type Outcome =
  | { readonly result: 'stored' | 'known'; readonly row: DeploymentEvent | undefined }
  | { readonly result: 'refused'; readonly failure: Failure };

export interface PostingOptions {
  readonly timeoutMs: number;
  /** Aborts calls in progress. The default is the signal of the context. */
  readonly signal?: AbortSignal;
}

/** Response statuses that are temporary and not about the event itself. */
const transient: readonly number[] = [408, 425, 429];
const forContent: readonly number[] = [413, 422];
/** The delay before the log is queried again for the row to print. */
const retryMs = 1000;

/**
 * Posts each event once, as the client's poster does: after an attempt with an unknown outcome it checks the log before
 * the next attempt (command.md 3.3). It waits for an unavailable service until the timeout. The caller must close it.
 */
export class Posting {
  readonly #context: Context;
  readonly #tokens: TokenSender | undefined;
  readonly #client: Client;
  readonly #poster: LogPoster;
  /** Aborted by the caller, by the timeout, and by a refusal that affects every event. */
  readonly #cut: AbortSignal;
  readonly #ending = new AbortController();
  readonly #closing = new AbortController();
  readonly #rows = new Map<DeploymentEventIngest, DeploymentEvent>();
  readonly #refusals = new Map<DeploymentEventIngest, Failure>();
  readonly #rowKey: (row: DeploymentEventIngest) => string;
  #lastError: unknown;
  /** The refusal of this caller, which affects every event. */
  #denied: Failure | undefined;

  /** Creates a poster for these options. @throws Failure if the address or the key is unusable. */
  static async open(context: Context, options: PostingOptions): Promise<Posting> {
    const tokens = TokenSender.of(context);
    const client = await context.client(tokens && { fetch: tokens.fetch });
    return new Posting(await import('@shiplog/client'), client, context, { ...options, tokens });
  }

  private constructor(
    { LogPoster, keyOf }: typeof import('@shiplog/client'),
    client: Client,
    context: Context,
    { timeoutMs, signal = context.signal, tokens }: PostingOptions & { readonly tokens: TokenSender | undefined },
  ) {
    const { clock, out } = context;
    this.#context = context;
    this.#tokens = tokens;
    this.#cut = AbortSignal.any([signal, this.#ending.signal]);
    this.#client = cutBy(this.#cut, client);
    this.#rowKey = keyOf.row;
    this.#poster = new LogPoster({
      client: this.#client,
      clock,
      identities: ['row'],
      isFinal: ({ status }) => status < 500 && !transient.includes(status),
      observer: {
        onStored: (event, row) => this.#rows.set(event, row),
        onRefused: (refused) => this.#refuse(refused),
        onWait: (error, ms) => {
          if (this.#cut.aborted) return;
          this.#lastError = error;
          out.note(`${failureOf(error).message} Retrying in ${Math.ceil(ms / 1000)} s.`);
        },
      },
    });
    void clock.sleep(timeoutMs, this.#closing.signal).then(() => {
      if (!this.#closing.signal.aborted) this.#ending.abort(this.#timeOver(timeoutMs));
    });
  }

  /**
   * Posts the events of several slots in parallel, and those of one slot in chronological order. @throws Failure if not
   * all could be settled.
   */
  async post(events: readonly EventToPost[]): Promise<Outcome[]> {
    const settling = events.map(({ event, reporter, isFresh }, order) =>
      this.#poster.settle([{ event, order, identity: 'row', isFresh }], reporter, this.#cut),
    );
    await Promise.allSettled(settling);
    if (this.#denied) throw this.#denied;
    const outcomes: Outcome[] = [];
    for (const [index, { event }] of events.entries()) {
      const [result] = (await settling[index]) ?? [];
      const failure = this.#refusals.get(event);
      if (result === 'refused' && failure) outcomes.push({ result, failure });
      else if (result === 'posted') outcomes.push({ result: 'stored', row: this.#rows.get(event) });
      else outcomes.push(await this.known(event));
    }
    return outcomes;
  }

  /**
   * The outcome for an event that is already in the log. It includes the row if rows are printed and the log returns it
   * in time.
   */
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
    let cursor: string | undefined;
    do {
      const query = { deployment_id: event.deployment_id, limit: 500, cursor };
      const { body } = await this.#client.listDeployments({ query });
      const row = body.items.find((item) => this.#rowKey(item) === this.#rowKey(event));
      if (row) return row;
      cursor = body.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return undefined;
  }

  /** Aborted when no more events can be posted. */
  get signal(): AbortSignal {
    return this.#cut;
  }

  close(): void {
    this.#closing.abort();
  }

  #refuse({ event, status, problem }: Refusal): void {
    const failure = refusal({ status, problem }, this.#keyHint());
    this.#refusals.set(event, failure);
    if (forContent.includes(status)) return;
    this.#denied = failure;
    this.#ending.abort(failure);
  }

  /** What to do after a 401. For a token, the service's response says it. */
  #keyHint(): string | undefined {
    if (this.#tokens?.hasSent) return '';
    if (this.#context.keys.api !== undefined) return undefined;
    return ' Set SHIPLOG_API_KEY to a key of the service, or let the job have an identity token (docs/integrations.md).';
  }

  #timeOver(timeoutMs: number): Failure {
    const why = this.#lastError === undefined ? '' : ` ${failureOf(this.#lastError).message}`;
    const sentence = `Not all events could be posted within ${timeoutMs / 1000} s.`;
    return new Failure(exitCodes.away, `${sentence}${why}`, this.#lastError);
  }
}

/** Returns a client whose calls are also aborted by the signal. */
function cutBy(cut: AbortSignal, client: Client): Client {
  const both = (signal: AbortSignal | undefined) => (signal ? AbortSignal.any([cut, signal]) : cut);
  return {
    ...client,
    appendDeployment: (input) => client.appendDeployment({ ...input, signal: both(input.signal) }),
    listDeployments: (input = {}) => client.listDeployments({ ...input, signal: both(input.signal) }),
  };
}
