import type { Client } from '@shiplog/client';
import { type DeploymentEvent, hasLostRows, headerNames, type Status } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import { patiently } from '../log/patiently.ts';
import { durationOption } from '../time-options.ts';
import { isLater, isOf, latestRow, named, type Release, type Slot, textOption } from './release.ts';

/** The time limit for the single check with `--timeout 0`. */
const singleCheckMs = 10_000;

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
  const isSingleCheck = timeoutMs === 0;
  const over = new AbortController();
  const closing = new AbortController();
  const watch = new ReleaseWatch(context, { slot, release, signal: AbortSignal.any([signal, over.signal]) });
  void clock.sleep(isSingleCheck ? singleCheckMs : timeoutMs, closing.signal).then(() => {
    if (!closing.signal.aborted) over.abort(timeOver(watch, timeout));
  });
  try {
    const row = isSingleCheck ? await watch.once() : await watch.end();
    if (!row) throw timeOver(watch, timeout);
    const subject = named(slot.service, release, out);
    const isReplaced = !isOf(row, release);
    const how = isReplaced ? `replaced by ${out.text(row.version ?? row.sha ?? row.deployment_id)}` : row.status;
    if (out.isJson) out.json(row);
    else if (!out.isQuiet) out.line(`${subject}: ${how} in ${out.text(slot.environment)} at ${row.happened_at}.`);
    return isReplaced ? exitCodes.no : (ends[row.status] ?? exitCodes.no);
  } finally {
    closing.abort();
  }
}

function releaseOf({ version, sha }: Given['options']): Release {
  if ((version === undefined) === (sha === undefined)) {
    throw usageFailure('Give the release as either --version or --sha.');
  }
  const [name, text] = version === undefined ? ['sha', sha] : ['version', version];
  if (text === '') throw usageFailure(`--${name} is empty; give the ${name} of the release.`);
  return { [String(name)]: String(text) };
}

function timeOver({ isReached, latest }: ReleaseWatch, timeout: string): Failure {
  if (!isReached) {
    return new Failure(
      exitCodes.away,
      `The service did not answer in time (--timeout ${timeout}). Check --url or SHIPLOG_URL.`,
    );
  }
  const state = latest ? `it has been ${latest.status} since ${latest.happened_at}` : 'the log has no event for it';
  return new Failure(exitCodes.no, `Timed out after ${timeout}: ${state}. To wait longer, raise --timeout.`);
}

interface Watched {
  readonly slot: Slot;
  readonly release: Release;
  readonly signal: AbortSignal;
}

/**
 * Follows the latest row of a release in a slot and the slot's last success: first from a snapshot, then from the
 * stream, starting at the snapshot's position.
 */
class ReleaseWatch {
  readonly #context: Context;
  readonly #watched: Watched;
  latest: DeploymentEvent | undefined;
  #lastSuccess: DeploymentEvent | undefined;
  isReached = false;

  constructor(context: Context, watched: Watched) {
    this.#context = context;
    this.#watched = watched;
  }

  /** Like `end`, but checks only once. */
  async once(): Promise<DeploymentEvent | undefined> {
    await this.#readSnapshot(await this.#context.client());
    return this.#ended();
  }

  /**
   * Resolves with the row that ends the wait: a row of the release, or of the release that replaced it. @throws the
   * reason of the signal, or Failure if the service refuses.
   */
  async end(): Promise<DeploymentEvent> {
    const { signal } = this.#watched;
    const client = await this.#context.client();
    for (;;) {
      const position = await patiently(this.#context, signal, () => this.#readSnapshot(client));
      const row = this.#ended() ?? (await this.#follow(position));
      signal.throwIfAborted();
      if (row) return row;
    }
  }

  async #readSnapshot(client: Client): Promise<string> {
    const { slot, release, signal } = this.#watched;
    const matches = (row: DeploymentEvent) => isOf(row, release);
    const { row, position } = await latestRow(client, { slot, matches, signal });
    const success = await latestRow(client, { slot, status: 'success', signal });
    this.isReached = true;
    for (const each of [success.row, row]) if (each) this.#take(each);
    // The stream continues at the position of the first read, so rows stored between the two reads arrive with it.
    return position;
  }

  /** Resolves with the row that ends the wait, or with `undefined` if a new snapshot is needed. */
  async #follow(position: string): Promise<DeploymentEvent | undefined> {
    const { slot, signal } = this.#watched;
    const { followDeployments } = await import('@shiplog/client');
    const attempt = new AbortController();
    const events = followDeployments({
      baseUrl: this.#context.url,
      service: slot.service,
      lastEventId: position,
      signal: AbortSignal.any([signal, attempt.signal]),
      onOpen: (headers) => {
        // Rows after the position were removed from the log. A snapshot has the remaining rows.
        if (hasLostRows(headers.get(headerNames.streamResume))) attempt.abort();
      },
      onDown: (reason, ms) => {
        this.#context.out.note(`The stream is unavailable (${reason}). Retrying in ${Math.ceil(ms / 1000)} s.`);
      },
    });
    for await (const event of events) {
      if (event.environment !== slot.environment || event.service !== slot.service) continue;
      this.#take(event);
      const row = this.#ended();
      if (row) return row;
    }
    return undefined;
  }

  #take(row: DeploymentEvent): void {
    if (row.status === 'success' && isLater(row, this.#lastSuccess)) this.#lastSuccess = row;
    if (!isOf(row, this.#watched.release) || !isLater(row, this.latest)) return;
    this.latest = row;
    const { out } = this.#context;
    if (ends[row.status] === undefined) out.note(`It has been ${row.status} since ${row.happened_at}.`);
  }

  /** A success counts only while it is the last success of its slot (command.md 10.6). */
  #ended(): DeploymentEvent | undefined {
    if (!this.latest || ends[this.latest.status] === undefined) return undefined;
    const isReplaced = this.latest.status === 'success' && this.#lastSuccess && isLater(this.#lastSuccess, this.latest);
    return isReplaced ? this.#lastSuccess : this.latest;
  }
}
