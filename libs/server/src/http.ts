import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { headerNames, limits, problemKinds } from '@shiplog/contract';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import { answerBrokenHead, brokenHttpAnswer } from './broken-http.ts';
import { compressAnswers } from './compression.ts';
import { pageHeaders } from './html.ts';
import type { HttpMetrics } from './metrics.ts';
import { notFoundPage, wantsPage } from './not-found-page.ts';
import { Problem } from './problem.ts';
import { isSoundHead, parseQuery, pathAsSent, routableUrl } from './request.ts';

export interface HttpOptions {
  readonly logger: Logger;
  readonly problemBase: string;
  /** Gives the problem for an error that a lower layer threw; what it does not know is an internal error. */
  readonly toProblem?: (error: unknown) => Problem | undefined;
  readonly metrics?: HttpMetrics;
}

/** What the HTTP side of a program takes at most, and for how long (SECURITY.md has the table). */
export const httpLimits = {
  headerBytes: 16 * 1024,
  /** How long a request may take to arrive, its head and the whole of it; slower ones get 408 and a closed connection. */
  headersMs: 15_000,
  requestMs: 30_000,
  /** How often slow requests are looked for. */
  checkMs: 5000,
  /** A response that has ended may leave a client's connection open this long for its next request. */
  idleMs: 72_000,
  /** A connection on which nothing moves is cut, so that an answer that nobody takes is not kept; streams see to it themselves. */
  stillMs: 120_000,
  /** How many requests a client may send on a connection before the first of them is answered. */
  requestsAhead: 50,
  /** Well above the readers that an instance is meant for; a process needs as many descriptors. */
  connections: 16_000,
} as const;
/** Of the 10 s that a shutdown may take (`process.ts`); the rest is for what waits and for the database. */
const closeGraceMs = 5000;
/** How long a request on a fresh connection may take to be read. */
const readGraceMs = 100;
/** A path segment may fill the whole request line: how long a name may be is for its rule to say. */
const paramLengthMax = httpLimits.headerBytes;
const refusedConnectionsToldMs = 60_000;

/**
 * The HTTP side that all our programs share: one body for every error, 404 against 405, bodies as bytes whatever their
 * `Content-Type` says, limits on size and time. Routes are added with `route`.
 */
export function createHttp(options: HttpOptions): FastifyInstance {
  const known = new Map<string, KnownPath>();
  const answerBrokenHttp = brokenHttpAnswer();
  const onError = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    answerError(isNotServed(error) ? notServed(request, known) : error, request, reply, options);
  const app = Fastify({
    // The program says itself that it listens; of fastify's own lines only trouble is wanted.
    loggerInstance: options.logger.child(
      {},
      { level: options.logger.isLevelEnabled('warn') ? 'warn' : options.logger.level },
    ),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    requestTimeout: httpLimits.requestMs,
    keepAliveTimeout: httpLimits.idleMs,
    connectionTimeout: httpLimits.stillMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // The host is judged here, not by Node, whose own refusal has no body.
    http: {
      maxHeaderSize: httpLimits.headerBytes,
      headersTimeout: httpLimits.headersMs,
      connectionsCheckingInterval: httpLimits.checkMs,
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: paramLengthMax, querystringParser: parseQuery },
    rewriteUrl: routableUrl,
    frameworkErrors: onError,
    clientErrorHandler: answerBrokenHttp,
  }) as unknown as FastifyInstance;
  // Their size is bounded already; Node would drop those after the two-thousandth in silence.
  app.server.maxHeadersCount = 0;
  // An expectation that the service does not know is none that it has to meet (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('connect', (_request, socket: Socket) => answerBrokenHttp(new Error('CONNECT'), socket));
  limitConnections(app);
  answerInTurn(app);
  learnPaths(app, known);
  judgeBeforeTheBody(app, known);
  readBodiesAsBytes(app);
  app.setErrorHandler(onError);
  compressAnswers(app);
  endConnectionsOnClose(app);
  if (options.metrics) app.addHook('onResponse', options.metrics.onResponse);
  return app;
}

/** Connections beyond the limit are closed unheard, which the log tells at most once a minute. */
function limitConnections({ server, log }: FastifyInstance): void {
  let tellAt = 0;
  server.maxConnections = httpLimits.connections;
  server.on('drop', () => {
    if (performance.now() < tellAt) return;
    tellAt = performance.now() + refusedConnectionsToldMs;
    log.warn(`${server.maxConnections} connections are open, which is all that are taken; others are closed at once`);
  });
}

/**
 * A request that was sent ahead waits until its connection has room for its answer: Node would have all of them answered
 * at once, and one packet of requests from a client that reads nothing would be held as gigabytes of answers. What comes
 * after an answer that closes the connection is not taken at all.
 */
function answerInTurn(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>();
  app.addHook('onRequest', ({ socket: connection }, { raw: response }, done) => {
    if (response.socket && connection.writable) return done();
    const ahead = (waiting.get(connection) ?? 0) + 1;
    waiting.set(connection, ahead);
    if (ahead > httpLimits.requestsAhead) connection.destroy();
    // Not emitted once the connection is gone: nobody waits for what was asked on it.
    response.once('socket', () => {
      waiting.set(connection, (waiting.get(connection) ?? 1) - 1);
      done();
    });
  });
}

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/**
 * What is judged by the head alone is judged before a byte of the body is read (reading 1.4): a head that breaks HTTP,
 * a path that nobody serves, a method that it does not take.
 */
function judgeBeforeTheBody(app: FastifyInstance, known: Map<string, KnownPath>): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!isSoundHead(request.raw)) answerBrokenHead(reply);
    else done(request.is404 || hasEmptyParameter(request) ? notServed(request, known) : undefined);
  });
  // Without it fastify's own 404 would run outside these hooks.
  app.setNotFoundHandler(() => undefined);
}

/** The router takes `/state/` for `/state/{adapter}`; a name that is not there is no name. */
function hasEmptyParameter({ params }: FastifyRequest): boolean {
  return Object.values(params as Record<string, string>).includes('');
}

/** Every path that gets a route, with its methods: what 405 and `Allow` are answered from. */
function learnPaths(app: FastifyInstance, known: Map<string, KnownPath>): void {
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[a-z_]+/g, '[^/]+')}$`);
    const entry = known.get(url) ?? { pattern, methods: new Set() };
    for (const name of [method].flat()) entry.methods.add(name);
    known.set(url, entry);
  });
}

/** The router's own refusal, for a method that it does not know at all. */
function isNotServed(error: unknown): boolean {
  return (error as { code?: string }).code === 'FST_ERR_NOT_FOUND';
}

function notServed(request: FastifyRequest, known: Map<string, KnownPath>): Problem {
  const path = pathAsSent(routableUrl(request.raw));
  const methods = [...known.values()]
    .filter(({ pattern }) => pattern.test(path))
    .flatMap((entry) => [...entry.methods]);
  if (methods.length === 0) {
    const page = wantsPage(request.raw) ? { page: notFoundPage(pathAsSent(request.originalUrl)) } : {};
    return new Problem('not-found', { detail: 'There is no such path.', ...page });
  }
  const allow = [...new Set(methods)].sort().join(', ');
  return new Problem('method-not-allowed', {
    detail: `${request.method} is not possible here; possible: ${allow}.`,
    headers: { [headerNames.allow]: allow },
  });
}

/**
 * Once the program stops, a connection ends with the answer that is under way on it, and what has not ended when the
 * grace is over is cut: a request that never comes to its end, a reader that takes nothing. A connection on which
 * nothing was ever asked, as browsers open them ahead, counts as busy to Node; it ends at once.
 */
function endConnectionsOnClose(app: FastifyInstance): void {
  const open = new Set<Socket>();
  app.server.on('connection', (connection: Socket) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
  });
  app.addHook('preClose', (done) => {
    app.server.keepAliveTimeout = 1;
    // A request may have arrived and not been read yet.
    setTimeout(() => {
      for (const connection of open) if (connection.bytesRead === 0) connection.destroy();
    }, readGraceMs).unref();
    setTimeout(() => app.server.closeAllConnections(), closeGraceMs).unref();
    done();
  });
}

/**
 * Bodies are taken as bytes, whatever type they claim to have (reading 1.1). One that is too large is refused at once;
 * the rest of it is read and thrown away, so that the answer reaches a client that is still sending.
 */
function readBodiesAsBytes(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') request.raw.headers['content-type'] = 'application/json';
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', ({ routeOptions: { bodyLimit } }, payload: IncomingMessage, done) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (error: Error | null) => {
      payload.off('data', onData).off('end', onEnd).off('error', settle).resume();
      done(error, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bodyLimit) settle(tooLarge(bodyLimit));
      else chunks.push(chunk);
    };
    const onEnd = () => settle(null);
    payload.on('data', onData).on('end', onEnd).on('error', settle);
  });
}

function tooLarge(bytesMax: number): Problem {
  return new Problem('payload-too-large', { detail: `The body is larger than ${bytesMax} bytes.` });
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, options: HttpOptions): void {
  const problem = error instanceof Problem ? error : options.toProblem?.(error);
  if (problem) {
    if (problem.status >= 500) request.log.warn({ err: problem.options.cause, kind: problem.kind }, problem.message);
    answerProblem(problem, request, reply, options.problemBase);
    return;
  }
  if (!request.raw.complete && request.raw.errored) {
    // The client broke its own request off; there is nobody to answer.
    request.raw.destroy();
    return;
  }
  request.log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'internal error');
  answerProblem(
    new Problem('internal', { detail: `${problemKinds.internal.title}; the log of the service has the details.` }),
    request,
    reply,
    options.problemBase,
  );
}

function answerProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply, problemBase: string): void {
  // fastify closes the connection on faults of the body; ours are read to their end, so it may stay.
  if (reply.hasHeader('connection')) reply.removeHeader('connection');
  const { page, headers } = problem.options;
  const ownHeaders = { 'Content-Type': 'application/problem+json', 'X-Content-Type-Options': 'nosniff' };
  reply
    .code(problem.status)
    .headers({ ...ownHeaders, ...(page && pageHeaders), 'Cache-Control': 'no-store', ...headers })
    .send(page ?? Buffer.from(problem.body(problemBase, pathAsSent(request.originalUrl))));
}
