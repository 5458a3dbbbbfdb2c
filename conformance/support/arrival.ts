import type { DeploymentEvent, FindingKind, QualityReport } from '@shiplog/contract';
import { type Answer, runSql } from '@shiplog/testing';
import { type Api, bodyOf, type EventFields } from './api.ts';

const minuteMs = 60_000;

/** RFC 3339 with the microseconds that a Date does not hold. */
export function instant(ms: number, micros = 0): string {
  return new Date(ms).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
}

export interface Arrival {
  /** Minutes before the log was opened; without it, when it is stored. */
  readonly minutesAgo?: number;
  readonly reporter?: string;
}

/** A log of its own whose rows can have arrived in the past: their ids say when. */
export class DatedLog {
  /** Whole milliseconds since 1970. */
  readonly openedMs = Date.now();
  readonly #api: Api;
  readonly #instance: { readonly url: string; readonly databaseUrl: string };

  private constructor(api: Api, instance: { readonly url: string; readonly databaseUrl: string }) {
    this.#api = api;
    this.#instance = instance;
  }

  static async open(api: Api): Promise<DatedLog> {
    return new DatedLog(api, await api.instance({ ownLog: true }));
  }

  /** So many minutes before the log was opened. */
  ago(minutes: number, micros = 0): string {
    return instant(this.openedMs - minutes * minuteMs, micros);
  }

  /** Stores a row that has happened when it arrives, unless it is told otherwise. */
  async append(fields: EventFields = {}, { minutesAgo, reporter }: Arrival = {}): Promise<DeploymentEvent> {
    const headers = reporter === undefined ? {} : { 'x-progress-reporter': reporter };
    const { url, databaseUrl } = this.#instance;
    const event = await this.#api.append({ happened_at: this.ago(minutesAgo ?? 0), ...fields }, headers, url);
    if (minutesAgo === undefined) return event;
    const [row] = await runSql<{ id: string }>(databaseUrl, moveArrival, [
      event.id,
      this.openedMs - minutesAgo * minuteMs,
    ]);
    return { ...event, id: row?.id ?? '' };
  }

  send(query = '', headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.#api.send({ path: `/api/quality?${query}`, headers }, this.#instance.url);
  }

  async read(query = ''): Promise<QualityReport> {
    return bodyOf<QualityReport>(await this.send(query));
  }

  /** The findings of a kind. */
  async findings(kind: FindingKind): Promise<QualityReport['findings']> {
    return (await this.read(`kind=${kind}`)).findings;
  }
}

/** A test on a log of its own. */
export function dated(api: Api, run: (log: DatedLog) => Promise<void>): () => Promise<void> {
  return async () => run(await DatedLog.open(api));
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
