import { headerNames } from '@shiplog/contract';
import { clientOf, Problem, proxyTrust } from '@shiplog/server';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Leave, NoPermit, Semaphore } from '../db/semaphore.ts';

interface ClientReadsOptions {
  /** The number of slow reads that a client may have in progress. 0 means no limit, not even for computations. */
  readonly readsPerClient: number;
  readonly logger: Logger;
  /** How long a read waits for its turn. */
  readonly waitMs: number;
}

export interface ClientRead {
  readonly request: FastifyRequest;
  /** Identifies the query. Concurrent equal queries from one client, for example from several tabs, count once. */
  readonly key: string;
  /** Whether the query is computed from rows, on one of the few connections for computations. */
  readonly isCold: boolean;
}

const coldPerClient = 2;
/** The analytics view sends about twenty concurrent requests per tab. */
const waitingMax = 128;
const retryAfterSeconds = 2;

interface Client {
  readonly reads: Semaphore;
  readonly computations: Semaphore;
  /** The client's queries that are in progress or waiting. */
  readonly questions: Map<string, { requests: number; readonly permits: Promise<Leave> }>;
}

/**
 * Limits how many slow reads one client may have in progress, and allows at most two computations among them. Other
 * reads wait for a moment and then fail with 429.
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

  /** @throws Problem 429 if the client is still at its limit after the wait. */
  async run<Result>({ request, key, isCold }: ClientRead, read: () => Promise<Result>): Promise<Result> {
    if (!this.isLimited) return read();
    this.#warn(request);
    const name = clientOf(request);
    const client = this.#clients.get(name) ?? this.#newClient();
    this.#clients.set(name, client);
    const admission = client.questions.get(key) ?? { requests: 0, permits: admit(client, isCold) };
    client.questions.set(key, admission);
    admission.requests += 1;
    try {
      await admission.permits.catch(refuse);
      return await read();
    } finally {
      admission.requests -= 1;
      if (admission.requests === 0) {
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

  /** Warns only once, because the warning applies to every request through this proxy. */
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
