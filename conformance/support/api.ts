import { randomUUID } from 'node:crypto';
import type { Agent } from 'node:http';
import type {
  DeploymentEvent,
  DeploymentEventIngest,
  DeploymentEventPage,
  Matrix,
  MatrixSlot,
  Status,
} from '@shiplog/contract';
import {
  type Answer,
  anEvent,
  cloneDatabase,
  connections,
  emptyLog,
  exchange,
  NetworkProxy,
  type OpenApiDocument,
  RawClient,
  StreamReader,
  type TestServiceOptions,
  testDatabase,
  type WireRequest,
} from '@shiplog/testing';
import { expect, onTestFinished } from 'vitest';
import { DocumentCheck } from './document-check.ts';
import { checkInvariants } from './invariants.ts';
import { allStatuses } from './specification.ts';
import { type Difference, type Part, parts, type RunningInstance, type Target, type TargetKeys } from './target.ts';

export interface InstanceOptions extends Partial<TestServiceOptions> {
  /** Whether the instance has a separate, empty log instead of the shared one. */
  readonly ownLog?: boolean;
}

export type QueryValues = Readonly<Record<string, string | number>>;
export type EventFields = Partial<DeploymentEventIngest>;

let made = 0;

/** A name that no other test and no other run uses. */
export function unique(prefix = 'service'): string {
  made += 1;
  return `${prefix}-${randomUUID().slice(0, 8)}-${made}`;
}

/** A valid event of a new deployment and service. */
export function freshEvent(fields: EventFields = {}): DeploymentEventIngest {
  return anEvent({ deployment_id: unique('deployment'), service: unique(), ...fields });
}

/** The path with the query, percent-encoded. */
export function withQuery(path: string, query: QueryValues = {}): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/**
 * A client of the target. It checks every response against the target's own OpenAPI document and against the general
 * rules before the test gets it.
 */
export class Api {
  readonly target: Target;
  #main: RunningInstance | undefined;
  #check: DocumentCheck | undefined;
  #agent: Agent | undefined;
  /** Stop the lent instances and drop their logs. */
  readonly #ends: (() => Promise<void>)[] = [];
  readonly #idle = new Map<string, RunningInstance[]>();

  constructor(target: Target) {
    this.target = target;
  }

  /** @param hasMain whether the tests share an instance on one log. */
  async open(hasMain: boolean): Promise<void> {
    this.#agent = connections();
    if (!hasMain) return;
    this.#main = await this.target.run();
    this.#check = await readDocument(this.#main.url, this.#agent);
  }

  async close(): Promise<void> {
    this.#agent?.destroy();
    await Promise.all(this.#ends.map((end) => end()));
    await this.#main?.stop();
  }

  get baseUrl(): string {
    return opened(this.#main).url;
  }

  get keys(): TargetKeys {
    return this.target.keys;
  }

  /** The statuses that the target accepts on ingest. */
  get statuses(): readonly Status[] {
    return this.target.differences.ingestStatuses?.value ?? allStatuses;
  }

  /** Whether the specification allows the target to differ from the core in this point. */
  differs(difference: Difference): boolean {
    return this.target.differences[difference] !== undefined;
  }

  /** Whether the target has the part of the core that a path belongs to. Used to filter lists of paths and calls. */
  readonly serves = (place: string | { readonly path: string }): boolean => {
    const path = typeof place === 'string' ? place : place.path;
    return (Object.keys(this.target.lacks) as Part[]).every(
      (part) => !parts[part].some((start) => path.startsWith(start)),
    );
  };

  get document(): OpenApiDocument {
    return opened(this.#check).document;
  }

  /** Sends a request unchanged and doesn't add a key. */
  async send(request: WireRequest, baseUrl = this.baseUrl): Promise<Answer> {
    const agent = opened(this.#agent);
    const answer = await exchange(baseUrl, request, agent);
    checkInvariants(request, answer, this.keys);
    this.#check ??= await readDocument(baseUrl, agent);
    this.#check.check(request, answer);
    return answer;
  }

  get(path: string, query?: QueryValues, headers: WireRequest['headers'] = {}): Promise<Answer> {
    return this.send({ path: withQuery(path, query), headers });
  }

  /** Posts a body to ingest with the key. Anything except strings and bytes is sent as JSON. */
  ingest(body: unknown, headers: WireRequest['headers'] = {}, baseUrl = this.baseUrl): Promise<Answer> {
    const request = {
      method: 'POST',
      path: '/api/deployments',
      headers: { 'X-Api-Key': this.keys.api, ...headers },
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    };
    return this.send(request, baseUrl);
  }

  /** Stores an event and returns the stored event. Throws if it is rejected. */
  async append(
    fields: EventFields = {},
    headers: WireRequest['headers'] = {},
    baseUrl = this.baseUrl,
  ): Promise<DeploymentEvent> {
    const answer = await this.ingest(freshEvent(fields), headers, baseUrl);
    if (answer.status !== 201) throw new Error(`ingest was answered ${answer.status}: ${answer.text}`);
    return answer.json as DeploymentEvent;
  }

  /** Stores events in order. */
  async appendAll(events: readonly EventFields[]): Promise<DeploymentEvent[]> {
    const stored: DeploymentEvent[] = [];
    for (const fields of events) stored.push(await this.append(fields));
    return stored;
  }

  async list(query: QueryValues): Promise<DeploymentEventPage> {
    return bodyOf<DeploymentEventPage>(await this.get('/api/deployments', query));
  }

  async matrix(service?: string): Promise<Matrix> {
    return bodyOf<Matrix>(await this.get('/api/matrix', service === undefined ? {} : { service }));
  }

  /** The slots of one service. */
  async slots(service: string): Promise<Readonly<Record<string, MatrixSlot>>> {
    const { rows } = await this.matrix(service);
    expect(rows.map((row) => row.service)).toEqual([service]);
    return rows[0]?.slots ?? {};
  }

  /** Opens the deployment stream with a query, given as values or as a string. Closed when the test ends. */
  stream(
    query: QueryValues | string = {},
    headers: Readonly<Record<string, string>> = {},
    baseUrl = this.baseUrl,
  ): Promise<StreamReader> {
    const path = '/api/events/stream';
    return this.openStream(typeof query === 'string' ? `${path}?${query}` : withQuery(path, query), headers, baseUrl);
  }

  /** Opens a stream without adding a key. Closed when the test ends. */
  openStream(
    path: string,
    headers: Readonly<Record<string, string>> = {},
    baseUrl = this.baseUrl,
  ): Promise<StreamReader> {
    return StreamReader.open({ url: `${baseUrl}${path}`, headers });
  }

  wire(baseUrl = this.baseUrl): Promise<RawClient> {
    return RawClient.open(baseUrl);
  }

  /** Starts another instance on the shared log or a separate, empty one; it is stopped when the test is over. */
  async instance({ ownLog = false, ...options }: InstanceOptions = {}): Promise<RunningInstance> {
    const hasOwn = ownLog && !this.target.lacks.database;
    const { databaseUrl = hasOwn ? (await testDatabase()).url : opened(this.#main).databaseUrl } = options;
    const instance = await this.target.start({ ...options, databaseUrl });
    onTestFinished(() => instance.stop());
    return instance;
  }

  /**
   * Lends the test an instance on an empty log. The next test with the same settings gets the same instance with an
   * empty log, because starting an instance takes ten times as long.
   */
  async lentInstance(config: NonNullable<InstanceOptions['config']> = {}): Promise<RunningInstance> {
    const key = JSON.stringify(config);
    const idle = this.#idle.get(key) ?? [];
    this.#idle.set(key, idle);
    const known = idle.pop();
    if (known) await emptyLog(known.databaseUrl);
    const instance = known ?? (await this.#startLent(config));
    onTestFinished(() => void idle.push(instance));
    return instance;
  }

  async #startLent(config: NonNullable<InstanceOptions['config']>): Promise<RunningInstance> {
    const log = await cloneDatabase();
    const instance = await this.target.start({ databaseUrl: log.url, config });
    this.#ends.push(() => instance.stop().then(log.drop));
    return instance;
  }

  /** Like `instance`, with a database connection that the test can cut. */
  async instanceBehindProxy(): Promise<{ url: string; proxy: NetworkProxy }> {
    const proxy = await NetworkProxy.open(opened(this.#main).databaseUrl);
    const { url } = await this.instance({ databaseUrl: proxy.url });
    return { url, proxy };
  }
}

/** The body of a response, which must have the status 200. Its shape has already been checked against the document. */
export function bodyOf<Body>(answer: Answer): Body {
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text}`);
  return answer.json as Body;
}

/** The `X-Stream-Position` of a response. Throws if the header is absent. */
export function positionOf({ headers }: Answer): string {
  const position = headers['x-stream-position'];
  if (typeof position !== 'string') throw new Error('the response has no X-Stream-Position');
  return position;
}

/** The data of stream frames. */
export function eventsOf<Item = DeploymentEvent>(frames: readonly { readonly data: string }[]): Item[] {
  return frames.map((frame) => JSON.parse(frame.data));
}

/** Caches checks by document text, because compiling its schemas takes longer than a test. */
const checks = new Map<string, DocumentCheck>();

async function readDocument(baseUrl: string, agent: Agent): Promise<DocumentCheck> {
  const { text, json } = await exchange(baseUrl, { path: '/openapi.json' }, agent);
  const check = checks.get(text) ?? new DocumentCheck(json as OpenApiDocument);
  checks.set(text, check);
  return check;
}

function opened<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('the target has not been opened');
  return part;
}
