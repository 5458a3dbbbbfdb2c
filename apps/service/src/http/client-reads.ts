import { headerNames } from '@shiplog/contract';
import { clientOf, Problem, proxyTrust } from '@shiplog/server';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Leave, NoPlace, Places } from '../db/places.ts';

export interface ClientReadsOptions {
  /** How many slow reads a client may have in progress; 0 for any number, of computations too. */
  readonly readsPerClient: number;
  readonly logger: Logger;
  /** How long a read waits for a place. */
  readonly waitMs: number;
}

/** What is asked. */
export interface AskedRead {
  readonly request: FastifyRequest;
  /** Says the question: a client that asks the same several times at once, in several tabs, takes one place. */
  readonly key: string;
  /** Whether it is computed from rows, on one of the few connections for that. */
  readonly isCold: boolean;
}

const coldPerClient = 2;
/** A view of figures asks for some twenty at once, in each tab; with a small log all are answered in a moment. */
const waitingMax = 128;
const retryAfterSeconds = 2;

/** The places of one client, and the questions that have some or wait for them. */
interface Client {
  readonly reads: Places;
  readonly computations: Places;
  readonly questions: Map<string, Admission>;
}

interface Admission {
  askers: number;
  readonly places: Promise<Leave>;
}

/**
 * Keeps one client from taking the database from all others: it has some slow reads in progress, and of them two that
 * compute. More wait for a moment, and are then refused with 429.
 */
export class ClientReads {
  readonly #options: ClientReadsOptions;
  readonly #clients = new Map<string, Client>();
  #hasWarned = false;

  constructor(options: ClientReadsOptions) {
    this.#options = options;
  }

  get isLimited(): boolean {
    return this.#options.readsPerClient > 0;
  }

  /** @throws Problem 429 where the client has as much in progress as it may. */
  async run<Result>({ request, key, isCold }: AskedRead, read: () => Promise<Result>): Promise<Result> {
    if (!this.isLimited) return read();
    this.#warn(request);
    const name = clientOf(request);
    const client = this.#clients.get(name) ?? this.#newClient();
    this.#clients.set(name, client);
    const admission = client.questions.get(key) ?? { askers: 0, places: placesIn(client, isCold) };
    client.questions.set(key, admission);
    admission.askers += 1;
    try {
      await admission.places.catch(refuse);
      return await read();
    } finally {
      admission.askers -= 1;
      if (admission.askers === 0) {
        client.questions.delete(key);
        if (client.questions.size === 0) this.#clients.delete(name);
        admission.places.then(
          (leave) => leave(),
          () => undefined,
        );
      }
    }
  }

  #newClient(): Client {
    const { readsPerClient, waitMs } = this.#options;
    return {
      reads: new Places({ max: readsPerClient, waitingMax, waitMs }),
      computations: new Places({ max: coldPerClient, waitMs }),
      questions: new Map(),
    };
  }

  /** Once: it is the same for every request that comes this way. */
  #warn(request: FastifyRequest): void {
    if (this.#hasWarned || proxyTrust(request) !== 'untrusted') return;
    this.#hasWarned = true;
    this.#options.logger.warn(
      { proxy: clientOf(request) },
      'requests come through a proxy that is not in TRUSTED_PROXIES; its clients count as one and may get 429',
    );
  }
}

async function placesIn({ reads, computations }: Client, isCold: boolean): Promise<Leave> {
  const leaveReads = await reads.take();
  if (!isCold) return leaveReads;
  try {
    const leaveComputations = await computations.take();
    return () => {
      leaveComputations();
      leaveReads();
    };
  } catch (error) {
    leaveReads();
    throw error;
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof NoPlace)) throw error;
  throw new Problem('too-many-requests', {
    detail: 'This client has too many reads in progress. Wait for them to finish, and request less at once.',
    headers: { [headerNames.retryAfter]: String(retryAfterSeconds) },
    cause: error,
  });
}
