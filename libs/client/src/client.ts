import {
  type AnswerOf,
  type Endpoint,
  type EndpointName,
  endpoints,
  type FieldError,
  type KeyName,
  keyHeaders,
  type Problem,
  type RequestOf,
} from '@shiplog/contract';

export interface ClientOptions {
  readonly baseUrl: string;
  readonly keys?: Readonly<Partial<Record<KeyName, string>>>;
  /** The timeout of one call. The default is 10 s. */
  readonly timeoutMs?: number;
  readonly fetch?: Fetch;
}

export type Fetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<Pick<Response, 'status' | 'ok' | 'headers' | 'text'>>;

/** A response with status 2xx or 304. `body` is `undefined` if the response has no body. */
export interface CallAnswer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Thrown if the service rejects a call. `problem` is `undefined` if the response body isn't a problem document. */
export class CallRefused extends Error {
  readonly status: number;
  readonly headers: Headers;
  readonly problem: Problem | undefined;

  constructor(call: string, status: number, headers: Headers, problem: Problem | undefined) {
    super(`${call} returned ${status}${problem ? `: ${problem.detail}` : ''}`);
    this.status = status;
    this.headers = headers;
    this.problem = problem;
  }
}

/** Thrown if a response body can't be read because it is incomplete or not JSON. */
export class AnswerUnreadable extends Error {
  readonly status: number;

  constructor(call: string, status: number, cause: unknown) {
    super(`${call} returned ${status} with a body that cannot be read`, { cause });
    this.status = status;
  }
}

/** The status of the response that made a call fail; `undefined` if there was no response. */
export function answeredStatus(error: unknown): number | undefined {
  return error instanceof CallRefused || error instanceof AnswerUnreadable ? error.status : undefined;
}

type CallName = {
  [Name in EndpointName]: (typeof endpoints)[Name] extends { stream: object } ? never : Name;
}[EndpointName];

type Empty = Record<string, never>;
type Given<Parts> = { [Name in keyof Parts as Parts[Name] extends undefined ? never : Name]: Parts[Name] };
type Optionals<Parts> = { [Name in keyof Parts as Empty extends Parts[Name] ? Name : never]?: Parts[Name] };
type Required<Parts> = { [Name in keyof Parts as Empty extends Parts[Name] ? never : Name]: Parts[Name] };
/** Query parameters may be `undefined`, which omits them. */
type Loose<Part> = { [Name in keyof Part]: Empty extends Pick<Part, Name> ? Part[Name] | undefined : Part[Name] };
type Parts<Input extends { readonly query: unknown }> = Given<
  Omit<Input, 'query'> & { readonly query: Loose<Input['query']> }
>;

/** The parts of a request. A part is optional if all its members are optional. */
export type CallInput<E extends Endpoint> = Optionals<Parts<RequestOf<E>>> &
  Required<Parts<RequestOf<E>>> & { readonly signal?: AbortSignal };

type Call<E extends Endpoint> = (
  ...input: Empty extends Omit<CallInput<E>, 'signal'> ? [CallInput<E>?] : [CallInput<E>]
) => Promise<CallAnswer<AnswerOf<E>>>;

/** One method per contract endpoint, except streams. */
export type Client = { readonly [Name in CallName]: Call<(typeof endpoints)[Name]> };

/**
 * Creates typed calls to a service. A method rejects with `CallRefused` if the status is neither 2xx nor 304, with
 * `AnswerUnreadable` if the body is unreadable, and with the error of `fetch` if there is no response (`TimeoutError`
 * after `timeoutMs`).
 */
export function createClient(options: ClientOptions): Client {
  const calls = Object.entries(endpoints)
    .filter(([, endpoint]) => !('stream' in endpoint))
    .map(([name, endpoint]) => [name, (input?: RawInput) => call(options, name, endpoint, input ?? {})]);
  return Object.fromEntries(calls);
}

interface RawInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: QueryValues;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

async function call(
  options: ClientOptions,
  name: string,
  endpoint: Endpoint,
  input: RawInput,
): Promise<CallAnswer<unknown>> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? 10_000);
  const response = await (options.fetch ?? fetch)(callUrl(options.baseUrl, endpoint, input), {
    method: endpoint.method,
    headers: callHeaders(options, endpoint, input),
    ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
    redirect: 'manual',
    signal: input.signal ? AbortSignal.any([timeout, input.signal]) : timeout,
  });
  const { status, headers } = response;
  const unreadable = (error: unknown) => {
    throw new AnswerUnreadable(name, status, error);
  };
  const text = await response.text().catch(unreadable);
  if (!response.ok && status !== 304) throw new CallRefused(name, status, headers, problemOf(response, text));
  try {
    return { status, headers, body: bodyOf(text, endpoint.replies[status]?.mediaType) };
  } catch (error) {
    return unreadable(error);
  }
}

function bodyOf(text: string, mediaType: string | undefined): unknown {
  if (text === '') return undefined;
  return mediaType === undefined ? JSON.parse(text) : text;
}

function callUrl(baseUrl: string, endpoint: Endpoint, { params = {}, query = {} }: RawInput): string {
  const path = endpoint.path.replace(/\{([a-z_]+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  return `${baseUrl.replace(/\/$/, '')}${path}${searchOf(query)}`;
}

/** Values by parameter name. An array repeats the parameter. */
type QueryValues = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** The query of a URL, including `?`. `undefined` values are omitted. */
export function searchOf(query: QueryValues): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)] as [string, string]),
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** Yields the pages of a listing. Requests each page only when it is needed. */
export async function* pagesOf<Page extends { readonly next_cursor: string | null }>(
  read: (cursor: string | undefined) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield page;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

function callHeaders(options: ClientOptions, endpoint: Endpoint, input: RawInput): Record<string, string> {
  const headers: Record<string, string> = {};
  if (input.body !== undefined) headers['content-type'] = 'application/json';
  // Reads are open by default; where they are not, they need the API key too.
  const { key: name = 'api' } = endpoint;
  const key = options.keys?.[name];
  if (key !== undefined) headers[keyHeaders[name]] = key;
  for (const [name, value] of Object.entries(input.headers ?? {})) if (value !== undefined) headers[name] = value;
  return headers;
}

/**
 * Any member may be missing (RFC 9457, section 3.1). A missing or malformed member gets its default value. Members that
 * the standard doesn't name, such as `tried` of a refused token, are kept.
 */
function problemOf({ status, headers }: Pick<Response, 'status' | 'headers'>, text: string): Problem | undefined {
  if (!headers.get('content-type')?.startsWith('application/problem+json')) return undefined;
  try {
    const given: unknown = JSON.parse(text);
    if (typeof given !== 'object' || given === null) return undefined;
    const { type, title, detail, instance, errors, checks, ...others } = given as Record<string, unknown>;
    const name = textOr(title, `status ${status}`);
    return {
      ...others,
      type: textOr(type, 'about:blank'),
      title: name,
      status,
      detail: textOr(detail, name),
      instance: textOr(instance, ''),
      ...(Array.isArray(errors) && { errors: errors.filter(isFieldError) }),
      ...(typeof checks === 'object' && checks !== null && { checks: checks as NonNullable<Problem['checks']> }),
    };
  } catch {
    return undefined;
  }
}

function textOr(value: unknown, other: string): string {
  return typeof value === 'string' && value !== '' ? value : other;
}

function isFieldError(value: unknown): value is FieldError {
  const { pointer, message } = (value ?? {}) as Partial<FieldError>;
  return typeof pointer === 'string' && typeof message === 'string';
}
