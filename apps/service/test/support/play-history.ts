import { createClient } from '@shiplog/client';
import { storedEvent } from '@shiplog/contract';
import { cloneDatabase, emptyLog, type RunningService, runService, storedBeneath, testKeys } from '@shiplog/testing';
import fc from 'fast-check';
import { expect } from 'vitest';
import { appendDeployments } from '../../src/db/append-deployments.ts';
import { Database } from '../../src/db/database.ts';
import { foldStep } from '../../src/db/folds/step.ts';
import { pruneEvents } from '../../src/db/retention.ts';
import { Servers } from '../../src/db/servers.ts';
import { foldDifferences } from './compared.ts';
import { type Part, parts } from './every-answer.ts';
import { type Action, drawnHistory, eventOf, type Question, question } from './history.ts';
import { type LeverDatabase, withLevers } from './levers.ts';
import { one, several } from './plain-stage.ts';
import { removeEvent } from './removing.ts';
import { openControl, startReset, untilFrame } from './reset.ts';
import { storedEvents } from './stored.ts';

const settings = [
  { granularity: 'day', promotionOrder: [one('dev'), one('staging'), one('PROD')] },
  {
    granularity: 'hour',
    promotionOrder: [one('qa'), several('live', ['p?od', 'Pro_*'], /^pro(d|_duction)$/i), one('edge'), one('staging')],
  },
] as const;

/** A history begins at noon on a Monday, some weeks after the previous one. */
const firstMs = Date.UTC(2026, 0, 5, 12);
const apartMs = 56 * 86_400_000;

/** Questions are asked between whole minutes, because some clock-dependent limits are exact to the millisecond. */
const questionMs = 30_000;

const saved = ['deployments', 'latest_deployments'] as const;
const ends = fc.record({
  minutesLater: fc.constantFrom(0, 60, 1440, 2880),
  question,
  kinds: fc.subarray([...parts], { minLength: 8 }),
});

/** Draws histories, and compares every answer with its plain model during each and at its end. */
export async function playHistories(options: fc.Parameters<unknown>): Promise<void> {
  const log = await HistoryLog.open();
  try {
    await fc.assert(
      fc.asyncProperty(drawnHistory, ends, async ({ habits, actions }, end) => {
        await log.begin();
        for (const { minutesLater, action } of actions) {
          await log.advance(minutesLater);
          if (action.kind === 'post') await log.post(action.events.map((drawn) => eventOf(drawn, habits, log.nowMs)));
          else await log.act(action);
        }
        await log.advance(end.minutesLater);
        await log.compare(end.question, end.kinds);
        await log.compareFolds();
      }),
      options,
    );
  } finally {
    await log.close();
  }
}

/** A log on a database with a stopped clock, and an instance per setting. Only questions and the test take steps. */
class HistoryLog {
  nowMs = firstMs;
  readonly #clock: LeverDatabase;
  readonly #services: readonly RunningService[];
  readonly #database: Database;
  #histories = 0;
  #ids: string[] = [];
  readonly #known = new Map<string, { readonly etag: string; readonly text: string }>();

  static async open(): Promise<HistoryLog> {
    const file = await cloneDatabase();
    const clock = await withLevers(file);
    await clock.stopClock(firstMs);
    const never = 24 * 3_600_000;
    const services = await Promise.all(
      settings.map((analytics) =>
        runService({
          databaseUrl: file.url,
          config: { analytics, reset: { ackTimeoutSeconds: 0, gateMaxTtlSeconds: 60, expectedComponents: [] } },
          times: { foldPauseMs: never },
        }),
      ),
    );
    return new HistoryLog(
      clock,
      services,
      new Database(new Servers([{ connectionString: file.url }]), () => undefined),
    );
  }

  private constructor(clock: LeverDatabase, services: readonly RunningService[], database: Database) {
    this.#clock = clock;
    this.#services = services;
    this.#database = database;
  }

  async close(): Promise<void> {
    await Promise.all(this.#services.map((service) => service.stop()));
    await this.#database.stop();
    await this.#clock.drop();
  }

  async begin(): Promise<void> {
    this.#histories += 1;
    this.nowMs = firstMs + this.#histories * apartMs;
    this.#known.clear();
    await emptyLog(this.#clock.url);
    for (const table of saved) await this.#sql(`drop table if exists saved_${table}`);
    await this.#sql(
      `update log_heads set last_tick = greatest(last_tick, log_tick(to_timestamp(${this.nowMs / 1000})))`,
    );
    await this.advance(0);
    this.#ids = [];
  }

  async advance(minutes: number): Promise<void> {
    this.nowMs += minutes * 60_000;
    await this.#clock.stopClock(this.nowMs);
  }

  async post(events: readonly Parameters<typeof storedEvent>[0][]): Promise<void> {
    const batch = events.map((event) => storedEvent(event, undefined));
    this.#ids.push(...(await appendDeployments(this.#database.appends, batch)));
  }

  async act(action: Exclude<Action, { kind: 'post' }>): Promise<void> {
    switch (action.kind) {
      case 'fold':
        await this.#database.folds.session((session) => foldStep(session, { wait: true, rowsMax: action.rowsMax }));
        return;
      case 'remove':
        for (const index of action.indices) await this.#remove(this.#ids[index % this.#ids.length]);
        return;
      case 'forget':
        for (const index of action.indices) {
          for (const id of await this.#deploymentOf(this.#ids[index % this.#ids.length])) await this.#remove(id);
        }
        return;
      case 'prune':
        await this.#database.writes.session((session) =>
          pruneEvents(session, { retentionDays: action.days, rowsMax: 5 }),
        );
        break;
      case 'ask':
        return this.compare(action.question, parts.slice(action.part, action.part + 1));
      case 'reset':
        await this.#reset();
        break;
      case 'truncate':
        await this.#sql(`truncate ${saved}`);
        break;
      case 'save':
        for (const table of saved) {
          await this.#sql(`drop table if exists saved_${table}; create table saved_${table} as select * from ${table}`);
        }
        return;
      case 'restore':
        await this.#restore();
        break;
    }
    this.#ids = (await storedEvents(this.#clock.url)).map(({ id }) => id);
  }

  /** Compares some kinds of answers with their plain models. */
  async compare(question: Question, kinds: readonly Part[]): Promise<void> {
    const at = question.instance % settings.length;
    const baseUrl = this.#url(at);
    const client = createClient({
      baseUrl,
      keys: testKeys,
      timeoutMs: 120_000,
      fetch: (...call) => this.#fetch(...call),
    });
    const { promotionOrder: ladder } = settings[at] ?? settings[0];
    const rows = await storedEvents(this.#clock.url);
    const nowMs = this.nowMs + questionMs;
    await this.#clock.stopClock(nowMs);
    const moment = { client, ladder, rows, nowMs, question };
    await Promise.all(kinds.map((part) => part(moment)));
    await this.#clock.stopClock(this.nowMs);
  }

  async compareFolds(): Promise<void> {
    expect(await foldDifferences(this.#database)).toEqual([]);
  }

  /**
   * Revalidates what was read before, so an answer that is kept for too long is found. On a busy machine a step may take
   * so long that a reader has to ask again.
   */
  async #fetch(url: string, init: RequestInit & { headers: Record<string, string> }) {
    const known = this.#known.get(url);
    const headers = { ...init.headers, ...(known && { 'if-none-match': known.etag }) };
    let response = await fetch(url, { ...init, headers });
    while (response.status === 503) response = await fetch(url, { ...init, headers });
    if (known && response.status === 304) return new Response(known.text, { headers: response.headers });
    const text = await response.text();
    const etag = response.headers.get('etag');
    if (etag) this.#known.set(url, { etag, text });
    const { status } = response;
    return new Response(text, { status, headers: response.headers });
  }

  async #remove(id: string | undefined): Promise<void> {
    if (id === undefined) return;
    expect(await removeEvent(this.#url(0), id)).toBe(204);
    this.#ids = this.#ids.filter((other) => other !== id);
  }

  /** The events of the deployment that an event belongs to. */
  async #deploymentOf(id: string | undefined): Promise<string[]> {
    const events = await storedEvents(this.#clock.url);
    const deployment = events.find((event) => event.id === id)?.deployment_id;
    return events.filter((event) => event.deployment_id === deployment).map((event) => event.id);
  }

  async #reset(): Promise<void> {
    const control = await openControl(this.#url(0));
    await startReset(this.#url(0));
    await untilFrame(control, 'reset-completed');
    control.close();
  }

  /** Restores the saved tables, as operations.md describes it; later events are lost. */
  async #restore(): Promise<void> {
    if ((await this.#sql(`select where to_regclass('saved_deployments') is null`)).length > 0) return;
    for (const table of saved) await this.#sql(`truncate ${table}; insert into ${table} select * from saved_${table}`);
    await this.#sql(storedBeneath);
  }

  #url(at: number): string {
    return this.#services[at]?.url ?? '';
  }

  #sql(text: string): Promise<object[]> {
    return this.#database.writes.query({ text });
  }
}
