import { type Answer, type ComputedAnswer, ConditionalGet, type ConditionalRequest } from '@shiplog/server';
import { Flights, flightOf } from '../answers/flights.ts';
import type { AskedRead, ClientReads } from './client-reads.ts';

export interface SlowRequest extends ConditionalRequest, Omit<AskedRead, 'key'> {
  /** The tick of the log that was just seen, where it was read anyway. */
  readonly tick?: string;
}

/**
 * Answers of one endpoint that take the database a while: one computation for equal questions, within what a client may
 * have in progress.
 */
export class SlowAnswers {
  readonly #name: string;
  readonly #clients: ClientReads;
  readonly #answers = new ConditionalGet();
  readonly #flights = new Flights<ComputedAnswer>();

  constructor(name: string, clients: ClientReads) {
    this.#name = name;
    this.#clients = clients;
  }

  answer({ request, isCold, tick, key, compute, ...asked }: SlowRequest): Promise<Answer> {
    const read = { request, isCold, key: JSON.stringify([this.#name, key]) };
    const fly = () => this.#flights.run(key, () => flightOf(compute()), tick);
    return this.#answers.answer({ ...asked, key, compute: () => this.#clients.run(read, fly) });
  }
}
