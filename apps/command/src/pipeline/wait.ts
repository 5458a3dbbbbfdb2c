import type { Client } from '@shiplog/client';
import { type DeploymentEvent, hasLostRows, headerNames, nilId, type Status } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { patiently } from '../log/patiently.ts';
import { isStage, stageIn } from '../log/stages.ts';
import { isLater, isOf, latestRow, named, type Release, textOption } from './release.ts';
import { TimeLimit } from './time-limit.ts';

const ends: Readonly<Partial<Record<Status, number>>> = {
  success: exitCodes.done,
  failure: exitCodes.no,
  cancelled: exitCodes.no,
  rejected: exitCodes.no,
};

/** `shiplog wait` (command.md 3.6 and 10.6, stages.md 4.14). */
export async function wait(given: Given, context: Context): Promise<number> {
  const { options } = given;
  if (options.untilFree === true) return (await import('../holds/until-free.ts')).waitUntilFree(given, context);
  const { out } = context;
  const [service, environment] = [textOption(options, 'service'), textOption(options, 'environment')];
  const release = releaseOf(options);
  const limit = new TimeLimit(options, context);
  const watch = new ReleaseWatch(context, { service, environment, release, signal: limit.signal });
  const state = () => (watch.isReached ? watch.state : undefined);
  limit.start(state);
  try {
    const row = limit.isSingleCheck ? await watch.once() : await watch.end();
    if (!row) throw limit.failure(state());
    const subject = named(service, release, out);
    const isReplaced = !isOf(row, release);
    const how = isReplaced ? `replaced by ${out.text(row.version ?? row.sha ?? row.deployment_id)}` : row.status;
    const place = !isReplaced && row.status === 'success' ? environment : row.environment;
    if (out.isJson) out.json(row);
    else if (!out.isQuiet) out.line(`${subject}: ${how} in ${out.text(place)} at ${row.happened_at}.`);
    return isReplaced ? exitCodes.no : (ends[row.status] ?? exitCodes.no);
  } finally {
    limit.end();
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

interface Watched {
  readonly service: string;
  /** An environment, or `stage:<name>` for all environments of a stage. */
  readonly environment: string;
  readonly release: Release;
  readonly signal: AbortSignal;
}

/** What has happened in one environment. */
interface Place {
  /** The latest row of the release. */
  readonly latest?: DeploymentEvent;
  /** The last success of any release. */
  readonly lastSuccess?: DeploymentEvent;
}

/**
 * Follows the latest row of a release in each environment and the last success there: first from a snapshot, then from
 * the stream, starting at the snapshot's position.
 */
class ReleaseWatch {
  readonly #context: Context;
  readonly #watched: Watched;
  readonly #isStage: boolean;
  /** By environment. */
  #places = new Map<string, Place>();
  isReached = false;

  constructor(context: Context, watched: Watched) {
    this.#context = context;
    this.#watched = watched;
    this.#isStage = isStage(watched.environment);
  }

  /** Where the release is, as part of a sentence. */
  get state(): string {
    const { out } = this.#context;
    const open = [...this.#places].filter(([, place]) => isConcerned(place) && endOf(place)?.status !== 'success');
    if (open.every(([, { latest }]) => !latest) && !(this.#isStage && open.length > 0))
      return 'the log has no event for it';
    const states = open.map(([environment, { latest }]) => {
      const place = this.#isStage ? ` in ${out.text(environment)}` : '';
      if (!latest) return `the log has no event for it${place}`;
      return `it has been ${latest.status}${place} since ${latest.happened_at}`;
    });
    return states.join(', ');
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
      const row = this.#ended() ?? (await this.#follow(client, position));
      signal.throwIfAborted();
      if (row) return row;
    }
  }

  /** Returns the position of the first read, at which the stream continues: rows stored since then arrive with it. */
  async #readSnapshot(client: Client): Promise<string> {
    const { service, release, signal } = this.#watched;
    const { environments, position } = await this.#environments(client);
    const known = this.#places;
    this.#places = new Map(environments.map((environment) => [environment, known.get(environment) ?? {}]));
    let first = position;
    for (const environment of environments) {
      const slot = { service, environment };
      const own = await latestRow(client, { slot, matches: (row) => isOf(row, release), signal });
      first ??= own.position;
      const success = await latestRow(client, { slot, status: 'success', signal });
      for (const each of [success.row, own.row]) if (each) this.#take(each);
    }
    this.isReached = true;
    return first ?? nilId;
  }

  /** The environments to wait for: all of a stage, as the service has them at a position. */
  async #environments(client: Client): Promise<{ environments: readonly string[]; position?: string }> {
    const { environment, signal } = this.#watched;
    if (!this.#isStage) return { environments: [environment] };
    const { body, headers } = await client.getBoardFacts({ signal });
    const position = headers.get(headerNames.streamPosition) ?? nilId;
    return { environments: stageIn(body.stages, environment).environments, position };
  }

  /** Whether the stage still has the environments that are watched. */
  async #isCurrent(client: Client): Promise<boolean> {
    if (!this.#isStage) return true;
    const { environments } = await patiently(this.#context, this.#watched.signal, () => this.#environments(client));
    return environments.length === this.#places.size && environments.every((each) => this.#places.has(each));
  }

  /** Resolves with the row that ends the wait, or with `undefined` if a new snapshot is needed. */
  async #follow(client: Client, position: string): Promise<DeploymentEvent | undefined> {
    const { service, signal } = this.#watched;
    const { followDeployments } = await import('@shiplog/client');
    const attempt = new AbortController();
    const events = followDeployments({
      baseUrl: this.#context.url,
      apiKey: this.#context.keys.api,
      service,
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
      if (event.service !== service) continue;
      if (!(await this.#isCurrent(client))) return undefined;
      if (!this.#places.has(event.environment)) continue;
      this.#take(event);
      const row = this.#ended();
      if (row) return row;
    }
    return undefined;
  }

  #take(row: DeploymentEvent): void {
    const { environment } = row;
    const place = this.#places.get(environment) ?? {};
    const isSuccess = row.status === 'success' && isLater(row, place.lastSuccess);
    const isNews = isOf(row, this.#watched.release) && isLater(row, place.latest);
    this.#places.set(environment, {
      ...place,
      ...(isSuccess && { lastSuccess: row }),
      ...(isNews && { latest: row }),
    });
    if (!isNews || ends[row.status] !== undefined) return;
    const { out } = this.#context;
    const where = this.#isStage ? ` in ${out.text(environment)}` : '';
    out.note(`It has been ${row.status}${where} since ${row.happened_at}.`);
  }

  /** The first row with a negative outcome, or the latest success once each environment has one. */
  #ended(): DeploymentEvent | undefined {
    const places = [...this.#places.values()].filter(isConcerned);
    const rows = places.flatMap((place) => endOf(place) ?? []);
    const isNo = (row: DeploymentEvent) => row.status !== 'success' || !isOf(row, this.#watched.release);
    const no = rows.find(isNo);
    if (no || rows.length < places.length) return no;
    return rows.reduce<DeploymentEvent | undefined>((last, row) => (isLater(row, last) ? row : last), undefined);
  }
}

/** Whether the service has a success there, or the release has a row there. */
function isConcerned({ latest, lastSuccess }: Place): boolean {
  return latest !== undefined || lastSuccess !== undefined;
}

/** The row that ends the wait in one environment. A success counts only while it is the last one (command.md 10.6). */
function endOf({ latest, lastSuccess }: Place): DeploymentEvent | undefined {
  if (!latest || ends[latest.status] === undefined) return undefined;
  const isReplaced = latest.status === 'success' && lastSuccess && isLater(lastSuccess, latest);
  return isReplaced ? lastSuccess : latest;
}
