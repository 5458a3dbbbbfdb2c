import { CallRefused, type Client, type Clock, LogPoster, PostingDenied, type Settled } from '@shiplog/client';
import type { DeploymentEvent } from '@shiplog/contract';
import { keyOfRow, knownRows } from './known-rows.ts';
import type { LocatedRow, ValidRows } from './valid-rows.ts';

export interface RowPosterOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly rate?: number | undefined;
  readonly signal: AbortSignal;
  readonly onSettled: (settled: Settled, row: LocatedRow) => void;
  readonly onStored: (event: DeploymentEvent) => void;
  readonly onRefused: (row: LocatedRow, why: string) => void;
  readonly onWait: (error: unknown, ms: number) => void;
}

/** The maximum number of rows in progress. It is large enough that several slots are posted in parallel. */
const tasksMax = 256;
const rowsPerQuery = 200;

/**
 * Posts rows in chronological order, eight slots in parallel, and skips rows that are already in the log. The log is
 * the only state of an import, so an interrupted import resumes when it is started again. @throws CallRefused if the
 * service will never accept the calls, or the reason of the signal.
 */
export async function postRows(rows: ValidRows, options: RowPosterOptions): Promise<void> {
  const stopping = new AbortController();
  const signal = AbortSignal.any([options.signal, stopping.signal]);
  const refusedFor = new Map<object, string>();
  const poster = new LogPoster({
    client: pacedClient(options),
    clock: options.clock,
    identities: ['row'],
    observer: {
      onStored: (_event, stored) => options.onStored(stored),
      onRefused: ({ event, status, problem }) => void refusedFor.set(event, problem?.detail ?? `answered ${status}`),
      onWait: (error, ms) => {
        // Waiting doesn't help if the address is wrong or the service lacks these endpoints.
        if (error instanceof CallRefused && error.status < 500 && error.status !== 429) stopping.abort(error);
        else options.onWait(error, ms);
      },
    },
  });
  const queue = new TaskLimit(tasksMax);
  let order = 0;
  for await (const { row, copy, isKnown } of comparedWithLog(rows, options)) {
    await queue.room();
    if (signal.aborted) break;
    order += 1;
    if (isKnown) {
      options.onSettled('known', row);
      continue;
    }
    const proposal = { event: row.event, order, identity: 'row', copy, isFresh: isKnown === false } as const;
    const settling = poster.settle([proposal], row.reporter, signal).then(
      ([settled = 'refused']) => {
        if (settled === 'refused') options.onRefused(row, refusedFor.get(row.event) ?? 'refused');
        refusedFor.delete(row.event);
        options.onSettled(settled, row);
      },
      (error) => stopping.abort(error instanceof PostingDenied ? error.cause : error),
    );
    queue.add(settling);
  }
  await queue.empty();
  options.signal.throwIfAborted();
  stopping.signal.throwIfAborted();
}

interface ComparedRow {
  readonly row: LocatedRow;
  readonly copy: number;
  /** Whether the row is in the log; `undefined` if its deployment has to be looked up. */
  readonly isKnown: boolean | undefined;
}

async function* comparedWithLog(
  rows: ValidRows,
  { client, signal }: Pick<RowPosterOptions, 'client' | 'signal'>,
): AsyncGenerator<ComparedRow> {
  for await (const group of inGroupsOf(rowsPerQuery, rows.inOrder())) {
    const known = await knownRows(
      client,
      group.map(({ row }) => row),
      signal,
    );
    for (const { row, copy, isRepeat } of group) {
      yield { row, copy, isKnown: isRepeat || (known && (known.get(keyOfRow(row.event)) ?? 0) >= copy) };
    }
  }
}

async function* inGroupsOf<Item>(size: number, items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let group: Item[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

class TaskLimit {
  readonly #max: number;
  #count = 0;
  #wake: () => void = () => undefined;

  constructor(max: number) {
    this.#max = max;
  }

  add(work: Promise<void>): void {
    this.#count += 1;
    void work.then(() => {
      this.#count -= 1;
      this.#wake();
    });
  }

  room(): Promise<void> {
    return this.#until(this.#max - 1);
  }

  empty(): Promise<void> {
    return this.#until(0);
  }

  async #until(count: number): Promise<void> {
    while (this.#count > count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

type PosterClient = Pick<Client, 'appendDeployment' | 'listDeployments'>;

function pacedClient({ client, clock, rate, signal }: RowPosterOptions): PosterClient {
  let nextMs = 0;
  return {
    listDeployments: client.listDeployments,
    appendDeployment: async (input) => {
      if (rate !== undefined) {
        const now = clock.now().getTime();
        const at = Math.max(now, nextMs);
        nextMs = at + 1000 / rate;
        if (at > now) await clock.sleep(at - now, signal);
        signal.throwIfAborted();
      }
      return client.appendDeployment(input);
    },
  };
}
