import { headerNames } from '@shiplog/contract';
import { clientOf, Problem, proxyTrust } from '@shiplog/server';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Leave, NoPermit, Semaphore } from '../db/semaphore.ts';

export interface ClientReadsOptions {
  /** How many slow reads a client may have in progress; 0 = unlimited, including computations. */
  readonly readsPerClient: number;
  readonly logger: Logger;
  /** How long a read waits for its turn. */
  readonly waitMs: number;
}

/** A slow read. */
export interface ClientRead {
  readonly request: FastifyRequest;
  /** Identifies the question: equal questions of one client at the same time, such as from several tabs, count once. */
  readonly key: string;
  /** Whether it is computed from rows, on one of the few connections for computations. */
  readonly isCold: boolean;
}

const coldPerClient = 2;
/** The analytics view sends about twenty requests per tab at once; on a small log all are quick. */
const waitingMax = 128;
const retryAfterSeconds = 2;

/** The limits of one client, and its questions in progress or waiting. */
interface Client {
  readonly reads: Semaphore;
  readonly computations: Semaphore;
  readonly questions: Map<string, Admission>;
}

interface Admission {
  askers: number;
  readonly permits: Promise<Leave>;
}

/**
 * Keeps one client from using up the database: it may have a limited number of slow reads in progress, two of them
 * computations. Others wait for a moment and are then refused with 429.
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

  /** @throws Problem 429 if the client stays at its limit. */
  async run<Result>({ request, key, isCold }: ClientRead, read: () => Promise<Result>): Promise<Result> {
    if (!this.isLimited) return read();
    this.#warn(request);
    const name = clientOf(request);
    const client = this.#clients.get(name) ?? this.#newClient();
    this.#clients.set(name, client);
    const admission = client.questions.get(key) ?? { askers: 0, permits: admit(client, isCold) };
    client.questions.set(key, admission);
    admission.askers += 1;
    try {
      await admission.permits.catch(refuse);
      return await read();
    } finally {
      admission.askers -= 1;
      if (admission.askers === 0) {
        client.questions.delete(key);
        if (client.questions.size === 0) this.#clients.delete(name);
        admission.permits.then(
          (leave) => leave(),
          () => undefined,
        );
      }
    }
  }

  #newClient(): Client {
    const { readsPerClient, waitMs } = this.#options;
    return {
      reads: new Semaphore({ max: readsPerClient, waitingMax, waitMs }),
      computations: new Semaphore({ max: coldPerClient, waitMs }),
      questions: new Map(),
    };
  }

  /** Warns once; every request through this proxy is the same. */
  #warn(request: FastifyRequest): void {
    if (this.#hasWarned || proxyTrust(request) !== 'untrusted') return;
    this.#hasWarned = true;
    this.#options.logger.warn(
      { proxy: clientOf(request) },
      'requests come through a proxy that is not in TRUSTED_PROXIES; its clients count as one and may get 429',
    );
  }
}

async function admit({ reads, computations }: Client, isCold: boolean): Promise<Leave> {
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
  if (!(error instanceof NoPermit)) throw error;
  throw new Problem('too-many-requests', {
    detail: 'This client has too many reads in progress. Wait for them to finish, and request less at once.',
    headers: { [headerNames.retryAfter]: String(retryAfterSeconds) },
    cause: error,
  });
}
