import type { Client } from '@shiplog/client';
import { type DeploymentEvent, hasLostRows, headerNames, type Status } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { durationOption } from '../duration-option.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import { failureOf } from '../failures.ts';
import { isLater, isOf, latestRow, named, type Release, type Slot, textOption } from './release.ts';

const [firstRetryMs, retryMsMax] = [1000, 30_000];

/** Statuses that end the waiting, with the exit code of each. */
const ends: Readonly<Partial<Record<Status, number>>> = {
  success: exitCodes.done,
  failure: exitCodes.no,
  cancelled: exitCodes.no,
  rejected: exitCodes.no,
};

/** `shiplog wait` (command.md 3.6 and 10.6). */
export async function wait({ options }: Given, context: Context): Promise<number> {
  const { clock, out, signal } = context;
  const slot = { service: textOption(options, 'service'), environment: textOption(options, 'environment') };
  const release = releaseOf(options);
  const timeout = String(options.timeout ?? '30m');
  const timeoutMs = durationOption('--timeout', timeout);
  const over = new AbortController();
  const closing = new AbortController();
  const watch = new ReleaseWatch(context, { slot, release, signal: AbortSignal.any([signal, over.signal]) });
  void clock.sleep(timeoutMs, closing.signal).then(() => {
    if (!closing.signal.aborted) over.abort(timeOver(watch, timeout));
  });
  try {
    const row = await watch.end();
    const subject = named(slot.service, release, out);
    if (out.isJson) out.json(row);
    else if (!out.isQuiet)
      out.line(`${subject}: ${row.status} in ${out.text(slot.environment)} at ${row.happened_at}.`);
    return ends[row.status] ?? exitCodes.no;
  } finally {
    closing.abort();
  }
}

function releaseOf({ version, sha }: Given['options']): Release {
  if ((version === undefined) === (sha === undefined)) {
    throw usageFailure('wait takes the release as --version or as --sha; give one of them.');
  }
  const [name, text] = version === undefined ? ['sha', sha] : ['version', version];
  if (text === '') throw usageFailure(`--${name} is empty; give the ${name} of the release.`);
  return { [String(name)]: String(text) };
}

function timeOver({ isReached, latest }: ReleaseWatch, timeout: string): Failure {
  if (!isReached) {
    return new Failure(exitCodes.away, `The service did not answer within ${timeout}; check --url or SHIPLOG_URL.`);
  }
  const state = latest ? `it is ${latest.status} since ${latest.happened_at}` : 'the log has no event of it there';
  return new Failure(exitCodes.no, `The time is over (${timeout}): ${state}; wait longer with --timeout.`);
}

interface Watched {
  readonly slot: Slot;
  readonly release: Release;
  readonly signal: AbortSignal;
}

/** The latest row of a release in a slot: from a snapshot, then live by the stream from the snapshot's position. */
class ReleaseWatch {
  readonly #context: Context;
  readonly #watched: Watched;
  latest: DeploymentEvent | undefined;
  /** Whether the service has answered. */
  isReached = false;

  constructor(context: Context, watched: Watched) {
    this.#context = context;
    this.#watched = watched;
  }

  /** Resolves with the row that ends the waiting. @throws the reason of the signal, or Failure where the service refuses. */
  async end(): Promise<DeploymentEvent> {
    const { signal } = this.#watched;
    const client = await this.#context.client();
    for (;;) {
      const position = await this.#look(client);
      const row = this.#ended() ?? (await this.#follow(position));
      signal.throwIfAborted();
      if (row) return row;
    }
  }

  /** Takes a snapshot, as often as it needs; gives its position. */
  async #look(client: Client): Promise<string> {
    const { slot, release, signal } = this.#watched;
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMsMax, 2 * retryMs)) {
      try {
        const matches = (row: DeploymentEvent) => isOf(row, release);
        const { row, position } = await latestRow(client, { slot, matches, signal });
        this.isReached = true;
        if (row) this.#take(row);
        return position;
      } catch (error) {
        signal.throwIfAborted();
        const failure = failureOf(error);
        if (failure.code !== exitCodes.away) throw failure;
        this.#context.out.note(`${failure.message} The next attempt is in ${retryMs / 1000} s.`);
        await this.#context.clock.sleep(retryMs, signal);
      }
    }
  }

  /** Resolves with the row that ends the waiting, or with nothing where a snapshot is needed. */
  async #follow(position: string): Promise<DeploymentEvent | undefined> {
    const { slot, release, signal } = this.#watched;
    const { followDeployments } = await import('@shiplog/client');
    const attempt = new AbortController();
    const events = followDeployments({
      baseUrl: this.#context.url,
      service: slot.service,
      lastEventId: position,
      signal: AbortSignal.any([signal, attempt.signal]),
      onOpen: (headers) => {
        // Rows after the position are gone from the log; what is left is in a snapshot.
        if (hasLostRows(headers.get(headerNames.streamResume))) attempt.abort();
      },
      onDown: (reason, ms) => {
        this.#context.out.note(`The stream is away (${reason}); the next attempt is in ${Math.ceil(ms / 1000)} s.`);
      },
    });
    for await (const event of events) {
      if (event.environment !== slot.environment || event.service !== slot.service || !isOf(event, release)) continue;
      this.#take(event);
      const row = this.#ended();
      if (row) return row;
    }
    return undefined;
  }

  #take(row: DeploymentEvent): void {
    if (!isLater(row, this.latest)) return;
    this.latest = row;
    const { out } = this.#context;
    if (ends[row.status] === undefined) out.note(`It is ${row.status} since ${row.happened_at}.`);
  }

  #ended(): DeploymentEvent | undefined {
    return this.latest && ends[this.latest.status] !== undefined ? this.latest : undefined;
  }
}
