import { headerNames } from '@shiplog/contract';
import { type Answer, type ComputedAnswer, ConditionalGet } from '@shiplog/server';
import { Flights, flightOf } from '../answers/flights.ts';
import type { Queries } from '../db/database.ts';
import { type LogMark, type LogState, logMark, stateOf, textOf } from '../db/log-mark.ts';
import type { FoldedAt, LogReads } from '../db/log-reads.ts';
import type { ClientRead, ClientReads } from './client-reads.ts';
import type { ScopeSources } from './scope.ts';

/** The parts that compute slow responses. */
export interface SlowParts extends ScopeSources {
  readonly reads: LogReads;
  readonly clients: ClientReads;
}

interface SlowRequest extends ClientRead {
  /** Whether the limit per client applies. */
  readonly isLimited?: boolean;
  readonly headers: { readonly [Name in typeof headerNames.ifNoneMatch]?: string };
  /** The current state of the log if it has already been read. */
  readonly mark?: LogMark;
  readonly compute: () => Promise<{ readonly state: LogState; readonly json: string }>;
}

/** Slow responses of one endpoint. Equal queries share one computation, and each client has a limit. */
export class SlowAnswers {
  readonly #name: string;
  readonly #parts: Pick<SlowParts, 'queries' | 'clients'>;
  readonly #answers = new ConditionalGet();
  readonly #flights = new Flights<ComputedAnswer>();

  constructor(name: string, parts: Pick<SlowParts, 'queries' | 'clients'>) {
    this.#name = name;
    this.#parts = parts;
  }

  answer({ headers, request, isCold, isLimited = true, mark, key, compute }: SlowRequest): Promise<Answer> {
    const { queries, clients } = this.#parts;
    const computed = async (): Promise<ComputedAnswer> => {
      const { state, json } = await compute();
      return { tick: textOf(state), json, content: [json] };
    };
    const share = () => this.#flights.run(key, () => flightOf(computed()), mark && textOf(stateOf(mark)));
    return this.#answers.answer({
      ifNoneMatch: headers[headerNames.ifNoneMatch],
      key,
      state: async () => ({ tick: textOf(stateOf(mark ?? (await logMark(queries)))) }),
      compute: () =>
        isLimited ? clients.run({ request, isCold, key: JSON.stringify([this.#name, key]) }, share) : share(),
    });
  }
}

interface FoldedRequest<Result> extends Pick<ClientRead, 'request' | 'key'> {
  readonly compute: (log: Queries, at: FoldedAt) => Promise<Result>;
}

/**
 * Exact responses of one endpoint from the folds. They depend on the clock, so they are not cached, but equal queries
 * share one computation.
 */
export class FoldedAnswers<Result> {
  readonly #name: string;
  readonly #parts: Pick<SlowParts, 'queries' | 'reads' | 'clients'>;
  readonly #flights = new Flights<Result>();

  constructor(name: string, parts: Pick<SlowParts, 'queries' | 'reads' | 'clients'>) {
    this.#name = name;
    this.#parts = parts;
  }

  async read({ request, key, compute }: FoldedRequest<Result>): Promise<Result> {
    const { queries, reads, clients } = this.#parts;
    // A quick read, so that an unresponsive database is detected within its timeout (reading 8.3).
    const state = textOf(stateOf(await logMark(queries)));
    const computed = async () => (await reads.folded(compute, { isExact: true })).result;
    const share = () => this.#flights.run(key, () => flightOf(computed()), state);
    return clients.run({ request, isCold: false, key: JSON.stringify([this.#name, key]) }, share);
  }
}
