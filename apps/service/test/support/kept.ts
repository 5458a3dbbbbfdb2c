import { type Endpoint, endpoints, headerNames } from '@shiplog/contract';
import { weakEtag } from '@shiplog/server';
import { runSql } from '@shiplog/testing';
import { AnalyticsQuestions } from '../../src/answers/analytics.ts';
import { Database } from '../../src/db/database.ts';
import { logMark } from '../../src/db/log-mark.ts';
import { Servers } from '../../src/db/servers.ts';
import { type Scope, scopeOf } from '../../src/domain/scope.ts';

export const promotionOrder = ['dev', 'staging', 'PROD'];
export const retentionDays = 90;

export type Asked = Readonly<Record<string, string | readonly string[]>>;
export type Name = Parameters<AnalyticsQuestions['of']>[0];

export const { names } = new AnalyticsQuestions({ granularity: 'day', promotionOrder }, retentionDays);

/** Computes results as the service does, but without the cache. */
export class FreshAnswers {
  readonly #database: Database;
  readonly #questions: AnalyticsQuestions;

  constructor(url: string, granularity: 'day' | 'hour' = 'day') {
    this.#database = new Database(new Servers([{ connectionString: url }]), () => undefined);
    this.#questions = new AnalyticsQuestions({ granularity, promotionOrder }, retentionDays);
  }

  async answer(name: Name, query: Asked): Promise<{ json: string; etag: string }> {
    const { now } = await logMark(this.#database.reads);
    const resolved = this.#questions.of(name, query, scopeOf(query as Partial<Scope>)).resolve({ now, begin: null });
    const { json } = await this.#database.analytics.session((session) => session.snapshot(resolved.compute));
    return { json, etag: weakEtag(json) };
  }

  stop(): Promise<void> {
    return this.#database.stop();
  }
}

/** The response of an instance. The text is empty for a 304. */
export async function ask(
  url: string,
  name: Name,
  query: Asked,
  etag?: string,
): Promise<{ status: number; etag: string | null; json: string }> {
  const { path }: Endpoint = endpoints[name];
  const parameters = Object.entries(query).flatMap(([key, value]) =>
    [value].flat().map((one): [string, string] => [key, one]),
  );
  const headers: Record<string, string> = etag === undefined ? {} : { [headerNames.ifNoneMatch]: etag };
  const response = await fetch(`${url}${path}?${new URLSearchParams(parameters)}`, { headers });
  return { status: response.status, etag: response.headers.get('etag'), json: await response.text() };
}

export interface KeptRow {
  readonly digest: string;
  readonly resolved: string;
  readonly true_until: string;
  readonly etag: string;
  readonly answer: string;
}

export function keptAnswers(url: string): Promise<KeptRow[]> {
  return runSql(url, 'select digest, resolved, true_until, etag, answer from kept_answers order by digest');
}

/** Replaces each cached result with a text that no computation produces. */
export async function tampered(url: string): Promise<void> {
  await runSql(url, `update kept_answers set answer = '"kept"'`);
}
