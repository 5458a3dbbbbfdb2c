import type { BoardFacts, DeploymentEvent, FindingKind, PlaceFacts, QualityReport } from '@shiplog/contract';
import { type Answer, runSql, storedBeneath } from '@shiplog/testing';
import { type Api, bodyOf, type EventFields, type InstanceOptions } from './api.ts';

const minuteMs = 60_000;

/** An RFC 3339 time with microseconds, which a Date does not support. */
export function instant(ms: number, micros = 0): string {
  return new Date(ms).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
}

export interface Arrival {
  /** The arrival time in minutes before the log was opened. By default, the row arrives when it is stored. */
  readonly minutesAgo?: number;
  readonly reporter?: string;
}

/** A separate log whose rows can have arrival times in the past. The arrival time is part of a row's id. */
export class DatedLog {
  /** The time at which the log was opened, in milliseconds since the Unix epoch. */
  readonly openedMs = Date.now();
  readonly #api: Api;
  readonly #instance: { readonly url: string; readonly databaseUrl: string };

  constructor(api: Api, instance: { readonly url: string; readonly databaseUrl: string }) {
    this.#api = api;
    this.#instance = instance;
  }

  /** The time this many minutes before the log was opened. */
  ago(minutes: number, micros = 0): string {
    return instant(this.openedMs - minutes * minuteMs, micros);
  }

  /** Stores a row. By default, `happened_at` equals the arrival time. */
  async append(fields: EventFields = {}, { minutesAgo, reporter }: Arrival = {}): Promise<DeploymentEvent> {
    const headers = reporter === undefined ? {} : { 'x-progress-reporter': reporter };
    const { url, databaseUrl } = this.#instance;
    const event = await this.#api.append({ happened_at: this.ago(minutesAgo ?? 0), ...fields }, headers, url);
    if (minutesAgo === undefined) return event;
    const [row] = await runSql<{ id: string }>(databaseUrl, moveArrival, [
      event.id,
      this.openedMs - minutesAgo * minuteMs,
    ]);
    await runSql(databaseUrl, storedBeneath);
    return { ...event, id: row?.id ?? '' };
  }

  send(query = '', headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.get(`/api/quality?${query}`, headers);
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.#api.send({ path, headers }, this.#instance.url);
  }

  async facts(query = ''): Promise<BoardFacts> {
    return bodyOf<BoardFacts>(await this.get(`/api/board/facts?${query}`));
  }

  /** The facts of one place, or `undefined` if it isn't listed. */
  async factsOf(place: { readonly service: string; readonly environment: string }): Promise<PlaceFacts | undefined> {
    const { places } = await this.facts();
    return places.find(({ service, environment }) => service === place.service && environment === place.environment);
  }

  async read(query = ''): Promise<QualityReport> {
    return bodyOf<QualityReport>(await this.send(query));
  }

  /** The findings of one kind. */
  async findings(kind: FindingKind): Promise<QualityReport['findings']> {
    return (await this.read(`kind=${kind}`)).findings;
  }
}

/** Runs a test on a separate log. */
export function dated(
  api: Api,
  run: (log: DatedLog) => Promise<void>,
  config: NonNullable<InstanceOptions['config']> = {},
): () => Promise<void> {
  return async () => run(new DatedLog(api, await api.lentInstance(config)));
}

const moveArrival = `
  with moved as (
    select id as old, (lpad(to_hex($2::bigint), 12, '0') || '7' || right(id::text, 3) || right(id::text, 17))::uuid as id
    from deployments where id = $1
  ), latest as (
    update latest_deployments set id = moved.id from moved where latest_deployments.id = moved.old
  )
  update deployments set id = moved.id, event = replace(event, moved.old::text, moved.id::text)
  from moved where deployments.id = moved.old returning deployments.id`;
