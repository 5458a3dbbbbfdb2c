import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, pagesOf } from '@shiplog/client';
import type { FetcherHealth } from '@shiplog/companions';
import type { RunningProgram } from '@shiplog/component';
import type { Hold } from '@shiplog/contract';
import {
  answers,
  type EmptyService,
  readJson,
  ScriptedServer,
  TestClock,
  testFolder,
  testKeys,
  testLogger,
  until,
} from '@shiplog/testing';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startFetcher } from '../../src/fetcher.ts';
import { calendarText } from './calendar.ts';

/** A secret address; no log line of the fetcher may contain it. */
const path = '/secret-of-calendars/a.ics';
export const intervalMs = 15 * 60_000;
const hourMs = 3_600_000;
const heartbeatMs = 30_000;

type Event = readonly string[];

/**
 * A fetcher with calendars between a real service and a server of calendars. The service uses the database's clock, so
 * the test's clock starts at the real time.
 */
export class CalendarRun {
  readonly clock = new TestClock();
  /** The log lines of the fetchers. */
  readonly lines: string[] = [];
  readonly serviceUrl: string;
  readonly #server: ScriptedServer;
  readonly #configFile: string;
  #fetcher: RunningProgram | undefined;

  /** @param entries of the configuration file, with URL in place of the address; by default one, `christmas` */
  static async open(service: EmptyService, entries: readonly string[] = [entryOf('christmas')]): Promise<CalendarRun> {
    const server = await ScriptedServer.open(answers(404));
    const configFile = join(await testFolder(), 'fetcher.yaml');
    return new CalendarRun(service.url, server, configFile).configured(entries);
  }

  private constructor(serviceUrl: string, server: ScriptedServer, configFile: string) {
    this.serviceUrl = serviceUrl;
    this.#server = server;
    this.#configFile = configFile;
    this.clock.advance(Date.now() - this.clock.now().getTime());
    onTestFinished(() => this.stop());
  }

  configured(entries: readonly string[]): this {
    const text = entries.map((entry) => `  - ${entry.replaceAll('URL', `${this.#server.url}${path}`)}\n`).join('');
    writeFileSync(this.#configFile, `version: 1\ncalendars:\n${text}`);
    return this;
  }

  /** Sets the events of the calendar. */
  shows(...events: readonly Event[]): void {
    this.answers(200, calendarText(events));
  }

  answers(status: number, body = ''): void {
    this.#server.script(`GET ${path}`, answers(status, body));
  }

  /** The fetcher's configuration, with other settings. */
  config(settings: Readonly<Record<string, string>> = {}) {
    return readConfig({
      ...{
        PORT: '0',
        DASHBOARD_API_BASE_URL: this.serviceUrl,
        API_KEY: testKeys.api,
        CONTROL_API_KEY: testKeys.control,
      },
      ...{ FETCHER_CONFIG: this.#configFile, ...settings },
    });
  }

  /** Starts a fetcher. Resolves when it has read its calendars. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const logger = testLogger({ write: (line) => void this.lines.push(line) });
    this.#fetcher = await startFetcher({ config: this.config(settings), logger, clock: this.clock });
    await this.#read();
  }

  async stop(): Promise<void> {
    await this.#fetcher?.stop();
    this.#fetcher = undefined;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** The fetcher's reports of errors and recoveries, oldest first. */
  async reports(): Promise<string[]> {
    const { items } = (await this.client.listComponentEvents({ query: { component_id: 'dashboard-fetcher' } })).body;
    return items.flatMap(({ detail }) => detail ?? []).reverse();
  }

  /** Lets time pass until the calendars are read again. Resolves when their holds are set. */
  async next(): Promise<void> {
    this.clock.advance(Math.max(...this.waits));
    await this.#read();
  }

  /** How long each calendar still waits, in milliseconds. Ignores heartbeats, which wait for less time. */
  get waits(): number[] {
    return this.clock.sleeping.filter((ms) => ms > heartbeatMs);
  }

  /** How often the address was requested. */
  get reads(): number {
    return this.#server.received.length;
  }

  async #read(): Promise<void> {
    const { calendars } = this.config();
    await until(async () => this.waits.length === calendars.length);
  }

  health(): Promise<FetcherHealth> {
    return readJson(`${this.#fetcher?.url}/health`);
  }

  /** The holds of the next 400 days that are not over. */
  async holds(): Promise<Hold[]> {
    const nowMs = Date.now();
    const query = { from: instantOf(nowMs), to: instantOf(nowMs + 400 * 24 * hourMs), limit: 500 };
    const holds: Hold[] = [];
    const pages = pagesOf(async (cursor) => (await this.client.listHolds({ query: { ...query, cursor } })).body);
    for await (const { items } of pages) holds.push(...items.filter(({ released }) => released === null));
    return holds;
  }

  get client() {
    return createClient({ baseUrl: this.serviceUrl, keys: { api: testKeys.api } });
  }

  /** The start and end lines of an event, each this many hours after the start of the current hour. */
  span(fromHours: number, untilHours: number): string[] {
    return [`DTSTART:${this.at(fromHours)}`, `DTEND:${this.at(untilHours)}`];
  }

  at(hours: number): string {
    const ms = Math.floor(Date.now() / hourMs) * hourMs + hours * hourMs;
    return `${new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')}`;
  }
}

function instantOf(ms: number): string {
  return new Date(ms).toISOString();
}

export function entryOf(name: string, more = ''): string {
  return `{ name: ${name}, url: "URL?key=secret-of-calendars", kind: freeze, services: ["pay-*"], environments: [prod]${more} }`;
}
