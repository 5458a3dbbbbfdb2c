import { type Answer, type ComputedAnswer, ConditionalGet, type ConditionalRequest } from '@shiplog/server';
import { Flights, flightOf } from '../answers/flights.ts';
import type { ClientRead, ClientReads } from './client-reads.ts';

export interface SlowRequest extends ConditionalRequest, Omit<ClientRead, 'key'> {
  /** The current tick of the log, if it was read anyway. */
  readonly tick?: string;
}

/** Slow answers of one endpoint: equal questions share one computation, and each client has a limit. */
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
