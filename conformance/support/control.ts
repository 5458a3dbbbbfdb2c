import type {
  ComponentEventPage,
  ComponentEventRecord,
  ControlStreamEvent,
  FetcherState,
  ResetAccepted,
} from '@shiplog/contract';
import { type Answer, openTransaction, type StreamReader, type WireRequest } from '@shiplog/testing';
import { type Api, bodyOf, eventsOf, type QueryValues, unique, withQuery } from './api.ts';
import { keyHeaders } from './specification.ts';

type Headers = Readonly<Record<string, string>>;

/** The settings of an instance for resets (reading 7.4). */
export interface ResetSettings {
  readonly ackTimeoutSeconds: number;
  readonly gateMaxTtlSeconds: number;
  readonly expectedComponents: readonly string[];
}

/** Settings for a reset that doesn't wait for any component. */
const promptReset: ResetSettings = { ackTimeoutSeconds: 0, gateMaxTtlSeconds: 60, expectedComponents: [] };

/** A valid report of a component. A test sets only the fields that matter to it. */
export function aReport(fields: object = {}): object {
  return { event_type: 'status', state: 'running', occurred_at: '2026-05-04T09:12:02Z', ...fields };
}

/** A client of one instance's control API, for operators, components and readers. */
export class Control {
  readonly #api: Api;
  readonly #place: { readonly url: string; readonly databaseUrl: string; readonly settings: ResetSettings } | undefined;

  /** By default, uses the target itself. The target must not be reset, because all tests in a file share its log. */
  constructor(api: Api, place?: { url: string; databaseUrl: string; settings: ResetSettings }) {
    this.#api = api;
    this.#place = place;
  }

  /** Starts an instance on a separate log, which may be reset. By default, a reset doesn't wait for any component. */
  static async onOwnLog(api: Api, changes: Partial<ResetSettings> = {}): Promise<StoppableControl> {
    const settings = { ...promptReset, ...changes };
    const instance = await api.instance({ ownLog: true, config: { reset: settings } });
    return Object.assign(new Control(api, { ...instance, settings }), { stop: () => instance.stop() });
  }

  /** Starts another instance on the same log. */
  async beside(changes: Partial<ResetSettings> = {}): Promise<StoppableControl> {
    const settings = { ...promptReset, ...this.#place?.settings, ...changes };
    const instance = await this.#api.instance({ databaseUrl: this.databaseUrl, config: { reset: settings } });
    return Object.assign(new Control(this.#api, { ...instance, settings }), { stop: () => instance.stop() });
  }

  get url(): string {
    return this.#place?.url ?? this.#api.baseUrl;
  }

  get databaseUrl(): string {
    if (!this.#place) throw new Error('only the database of a separate log may be used');
    return this.#place.databaseUrl;
  }

  send(request: WireRequest): Promise<Answer> {
    return this.#api.send(request, this.url);
  }

  /** Posts a report of a new component with the key. A body that is not a string or bytes is sent as JSON. */
  report(body: unknown = aReport(), headers: WireRequest['headers'] = {}): Promise<Answer> {
    return this.send({
      method: 'POST',
      path: '/api/control/events',
      headers: { [keyHeaders.api]: this.#api.keys.api, 'X-Component-Id': unique('component'), ...headers },
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
  }

  /** Stores a report and returns its record. Throws if it is rejected. */
  async record(fields: object = {}, headers: Headers = {}): Promise<ComponentEventRecord> {
    const sender = { 'X-Component-Id': unique('component'), ...headers };
    const answer = await this.report(aReport(fields), sender);
    if (answer.status !== 204) throw new Error(`the report was answered ${answer.status}: ${answer.text}`);
    const [record] = (await this.list({ component_id: sender['X-Component-Id'], limit: 1 })).items;
    if (!record) throw new Error('the report is not listed');
    return record;
  }

  async list(query: QueryValues = {}): Promise<ComponentEventPage> {
    return bodyOf<ComponentEventPage>(await this.send({ path: withQuery('/api/control/events', query) }));
  }

  /** Opens the component stream. */
  componentStream(headers: Headers = {}, query = ''): Promise<StreamReader> {
    return this.#api.openStream(`/api/control/events/stream${query}`, headers, this.url);
  }

  /** Opens the control stream with the key. */
  stream(query: QueryValues | string = {}, headers: Headers = {}): Promise<StreamReader> {
    const path = '/api/control/stream';
    const target = typeof query === 'string' ? `${path}?${query}` : withQuery(path, query);
    return this.#api.openStream(target, { [keyHeaders.control]: this.#api.keys.control, ...headers }, this.url);
  }

  /** Requests a reset with the key. */
  requestReset(body?: string | Buffer): Promise<Answer> {
    const headers = { [keyHeaders.control]: this.#api.keys.control };
    return this.send({ method: 'POST', path: '/api/control/reset', headers, ...(body === undefined ? {} : { body }) });
  }

  /** Requests a reset. Throws if it is rejected. */
  async startReset(): Promise<ResetAccepted> {
    const answer = await this.requestReset();
    if (answer.status !== 202) throw new Error(`the reset was answered ${answer.status}: ${answer.text}`);
    return answer.json as ResetAccepted;
  }

  /** Runs a reset from its acceptance to its last frame, and returns its frames. */
  async reset(): Promise<ControlStreamEvent[]> {
    const stream = await this.stream();
    await this.startReset();
    return eventsOf<ControlStreamEvent>(await stream.take(3));
  }

  /** Reports a component's ack of a reset. */
  ack(component: string, correlationId: string, fields: object = {}): Promise<ComponentEventRecord> {
    const headers = { 'X-Component-Id': component, 'X-Correlation-Id': correlationId };
    return this.record({ event_type: 'reset-ack', state: 'paused', ...fields }, headers);
  }

  /** Stores a cursor with the key. */
  putCursor(adapter: string, body: unknown): Promise<Answer> {
    return this.send({
      method: 'PUT',
      path: `/api/fetcher/state/${adapter}`,
      headers: { [keyHeaders.api]: this.#api.keys.api },
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
  }

  getCursor(adapter: string): Promise<Answer> {
    const headers = { [keyHeaders.api]: this.#api.keys.api };
    return this.send({ path: `/api/fetcher/state/${adapter}`, headers });
  }

  /** Reads the stored cursor of an adapter. Throws if there is none. */
  async cursor(adapter: string): Promise<FetcherState> {
    return bodyOf<FetcherState>(await this.getCursor(adapter));
  }
}

/** A client of an instance that a test may stop. */
export type StoppableControl = Control & { stop(): Promise<void> };

/** The types of the control frames, in order. */
export function typesOf(frames: readonly ControlStreamEvent[]): string[] {
  return frames.map((frame) => frame.type);
}

/**
 * Prevents a service from clearing its log until the transaction ends, like a lock held by another program. Used only
 * on databases that the suite created.
 */
export function holdLog(databaseUrl: string): ReturnType<typeof openTransaction> {
  return openTransaction(databaseUrl, 'lock table fetcher_states in share mode');
}
