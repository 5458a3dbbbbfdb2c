import type { IncomingHttpHeaders } from 'node:http';
import {
  type Endpoint,
  type FieldError,
  headerNames,
  keyHeaders,
  type RequestOf,
  type ServedEndpoints,
} from '@shiplog/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { readJsonObject } from './body.ts';
import type { Keys } from './keys.ts';
import { invalid, Problem } from './problem.ts';
import { declaredQuery } from './query.ts';
import { compileValidator, declaredHeaders, type Validator } from './validation.ts';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: string;
  readonly text?: { readonly mediaType: string; readonly content: string };
}

interface HandlerContext<E extends Endpoint> extends RequestOf<E> {
  /** The raw body, for endpoints that store it unchanged. */
  readonly bodyText: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Handles a validated request. Returns `undefined` if it took over the connection (a stream). */
type Handler<E extends Endpoint> = (context: HandlerContext<E>) => Promise<Answer | undefined>;

/**
 * Checks the sender by the head of the request. Returns why the request is refused, synchronously if the head is
 * enough.
 */
export type Guard = (endpoint: Endpoint, request: FastifyRequest) => Problem | undefined | Promise<Problem | undefined>;

export interface RouteOptions<E extends Endpoint> {
  /** The address at which browsers reach the program, if it is known. */
  readonly publicUrl?: string | undefined;
  /** Checks every request. Required if an endpoint has a key. */
  readonly guard?: Guard;
  /** Why requests are currently rejected. Checked after the headers and again after the body. */
  readonly refusal?: (endpoint: E, request: FastifyRequest) => Problem | undefined;
}

/** Adds endpoints from a table by name, and collects them for the OpenAPI document. */
export class Api<const Endpoints extends { readonly [Name in keyof Endpoints]: Endpoint }> {
  readonly #served: Record<string, Endpoint> = {};
  readonly #app: FastifyInstance;
  readonly #endpoints: Endpoints;
  readonly #options: RouteOptions<Endpoint>;

  constructor(app: FastifyInstance, endpoints: Endpoints, options: RouteOptions<Endpoint> = {}) {
    this.#app = app;
    this.#endpoints = endpoints;
    this.#options = options;
  }

  get served(): ServedEndpoints {
    return this.#served;
  }

  serve<Name extends keyof Endpoints & string>(name: Name, handler: Handler<Endpoints[Name]>): void {
    const endpoint = this.#endpoints[name];
    route(this.#app, this.#options, endpoint, handler);
    this.#served[name] = endpoint;
  }
}

/**
 * Adds one endpoint. The origin and key of a request are checked before its body is read (reading 1.4). Then every part
 * is validated and all errors are reported together. Then the handler runs.
 */
function route<const E extends Endpoint>(
  app: FastifyInstance,
  { guard, refusal, publicUrl }: RouteOptions<E>,
  endpoint: E,
  handler: Handler<E>,
): void {
  const { sameOrigin, bodyBytesMax } = endpoint;
  const read = requestReader(endpoint);
  app.route({
    method: endpoint.method,
    url: routePath(endpoint.path),
    ...(bodyBytesMax && { bodyLimit: bodyBytesMax }),
    ...((guard || sameOrigin || refusal) && {
      onRequest: (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
        const unknown = unknownName(endpoint.params, request.params as Record<string, string>);
        if (unknown) return done(unknown);
        const { headers } = request.raw;
        // A program can also be reached without the proxy, at its own address.
        if (sameOrigin && isForeign(headers) && isForeign(headers, publicUrl)) return done(foreignOrigin());
        const judged = guard?.(endpoint, request);
        if (judged instanceof Promise) judged.then((problem) => done(problem ?? refusal?.(endpoint, request)), done);
        else done(judged ?? refusal?.(endpoint, request));
      },
    }),
    handler: async (request, reply) => {
      // Checked again, because the reason may have appeared while the body arrived.
      const problem = refusal?.(endpoint, request);
      if (problem) throw problem;
      const context = { ...read(request), request, reply } as HandlerContext<E>;
      const answer = await handler(context);
      if (!answer) return reply;
      reply.code(answer.status).header('X-Content-Type-Options', 'nosniff');
      if (answer.headers) reply.headers(answer.headers);
      const { json, text = json === undefined ? undefined : { mediaType: 'application/json', content: json } } = answer;
      if (text === undefined) return reply.send();
      return reply.header('content-type', `${text.mediaType}; charset=utf-8`).send(text.content);
    },
  });
}

/** A path template in the router's syntax. A parameter before a suffix such as `.svg` needs an explicit pattern. */
function routePath(path: string): string {
  return path.replace(/\{([a-z_]+)\}(?=[^/])/g, ':$1([^]*?)').replace(/\{([a-z_]+)\}/g, ':$1');
}

/**
 * Whether a browser sent this request from a page of another site (reading 9.8). Such a page must not be able to clear
 * the log. Clients other than browsers send neither header.
 * @param publicUrl the only address at which browsers reach the program; by default, the host as sent.
 */
export function isForeign({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders, publicUrl?: string): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined) return false;
  if (publicUrl !== undefined) return origin !== new URL(publicUrl).origin;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}

export function foreignOrigin(): Problem {
  return new Problem('forbidden-origin', {
    detail: "A browser sent this from another site's page. Open this program's own panel.",
  });
}

/** Requires the key that an endpoint names. */
export function keysGuard(keys: Keys): Guard {
  return ({ key }, { raw }) => {
    if (!key || keys.accepts(key, raw.headers[keyHeaders[key].toLowerCase()])) return undefined;
    return unauthorized(keyHeaders[key]);
  };
}

export function unauthorized(header: string): Problem {
  return new Problem('unauthorized', {
    detail: `${header} is missing or is not a valid key.`,
    // Every 401 must have a challenge (RFC 9110, 15.5.2), but no registered scheme uses a separate header for the key.
    headers: { [headerNames.wwwAuthenticate]: `ApiKey header="${header}"` },
  });
}

function requestReader(endpoint: Endpoint) {
  const params = partReader(endpoint.params, (request) => request.params as Record<string, unknown>);
  const query = partReader(endpoint.query, (request, shape) =>
    declaredQuery(request.query as Record<string, unknown>, shape),
  );
  const headers = partReader(endpoint.headers, (request, shape) => declaredHeaders(request.raw.headers, shape));
  const body = endpoint.body && { validate: compileValidator(endpoint.body), optional: endpoint.bodyOptional === true };
  return (request: FastifyRequest) => {
    const unknown = unknownName(endpoint.params, request.params as Record<string, string>);
    if (unknown) throw unknown;
    const errors: FieldError[] = [];
    const parts = {
      params: params(request, errors),
      query: query(request, errors),
      headers: headers(request, errors),
      ...(body ? readBody(request, body, errors) : { body: undefined, bodyText: '' }),
    };
    if (errors.length > 0) throw invalid(errors);
    return parts;
  };
}

/**
 * A path parameter with an enumerated type must be one of its values. Otherwise the response is 404, before any other
 * error (reading 1.4).
 */
function unknownName(shape: TObject | undefined, params: Readonly<Record<string, string>>): Problem | undefined {
  for (const [name, { enum: names }] of Object.entries<{ enum?: readonly string[] }>(shape?.properties ?? {})) {
    if (!names || names.includes(params[name] ?? '')) continue;
    return new Problem('not-found', { detail: `No such ${name}; known values: ${names.join(', ')}.` });
  }
  return undefined;
}

function partReader(
  shape: TObject | undefined,
  take: (request: FastifyRequest, shape: TObject) => Record<string, unknown>,
): (request: FastifyRequest, errors: FieldError[]) => unknown {
  if (!shape) return () => undefined;
  const validate = compileValidator(shape);
  return (request, errors) => {
    const values = take(request, shape);
    // The pointer refers to the parameter or header, even if only one of its values is invalid.
    for (const error of validate(values))
      errors.push({ ...error, pointer: error.pointer.replace(/^(\/[^/]*).*$/s, '$1') });
    return values;
  };
}

/** An optional member that is `null` counts as absent (reading 3.2). Any other `null` has already been rejected. */
function withoutNulls(body: Record<string, unknown>): object {
  for (const name in body) if (body[name] === null) delete body[name];
  return body;
}

function readBody(
  request: FastifyRequest,
  { validate, optional }: { validate: Validator; optional: boolean },
  errors: FieldError[],
) {
  const sent = request.body as Buffer | undefined;
  if (optional && (sent === undefined || sent.length === 0)) return { body: {}, bodyText: '' };
  const read = readJsonObject(sent, request.headers['content-encoding']);
  if ('error' in read) {
    errors.push(read.error);
    return { body: undefined, bodyText: '' };
  }
  errors.push(...validate(read.value));
  return { body: withoutNulls(read.value as Record<string, unknown>), bodyText: read.text };
}
