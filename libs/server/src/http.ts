import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { headerNames, limits, problemKinds } from '@shiplog/contract';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { HttpMetrics } from './metrics.ts';
import { Problem } from './problem.ts';
import { parseQuery, pathAsSent, routableUrl } from './request.ts';

export interface HttpOptions {
  readonly logger: Logger;
  readonly problemBase: string;
  /** Gives the problem for an error that a lower layer threw; what it does not know is an internal error. */
  readonly toProblem?: (error: unknown) => Problem | undefined;
  readonly metrics?: HttpMetrics;
}

/** How long a request may take to arrive, head and body; slower ones get 408 and a closed connection. */
const requestTimeoutMs = 30_000;
const headersTimeoutMs = 15_000;
const headerBytesMax = 16 * 1024;
/** A path segment may fill the whole request line: how long a name may be is for its rule to say. */
const paramLengthMax = headerBytesMax;

/**
 * The HTTP side that all our programs share: one body for every error, 404 against 405, bodies as bytes whatever their
 * `Content-Type` says, limits on size and time. Routes are added with `route`.
 */
export function createHttp(options: HttpOptions): FastifyInstance {
  const app = Fastify({
    // The program says itself that it listens; of fastify's own lines only trouble is wanted.
    loggerInstance: options.logger.child(
      {},
      { level: options.logger.isLevelEnabled('warn') ? 'warn' : options.logger.level },
    ),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    requestTimeout: requestTimeoutMs,
    // A response that has ended may leave a client's connection open this long for its next request.
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: { maxHeaderSize: headerBytesMax, headersTimeout: headersTimeoutMs },
    routerOptions: { maxParamLength: paramLengthMax, querystringParser: parseQuery },
    rewriteUrl: routableUrl,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply, options),
    clientErrorHandler: answerBrokenHttp,
  }) as unknown as FastifyInstance;
  const known = knownPaths(app);
  readBodiesAsBytes(app);
  app.setNotFoundHandler((request) => {
    throw notServed(request, known);
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, options));
  if (options.metrics) app.addHook('onResponse', options.metrics.onResponse);
  return app;
}

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

/** Every path that gets a route, with its methods: what 405 and `Allow` are answered from. */
function knownPaths(app: FastifyInstance): Map<string, KnownPath> {
  const known = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[a-z_]+/g, '[^/]+')}$`);
    const entry = known.get(url) ?? { pattern, methods: new Set() };
    for (const name of [method].flat()) entry.methods.add(name);
    known.set(url, entry);
  });
  return known;
}

function notServed(request: FastifyRequest, known: Map<string, KnownPath>): Problem {
  const path = pathAsSent(routableUrl(request.raw));
  const methods = [...known.values()]
    .filter(({ pattern }) => pattern.test(path))
    .flatMap((entry) => [...entry.methods]);
  if (methods.length === 0) return new Problem('not-found', { detail: 'There is no such path.' });
  const allow = [...new Set(methods)].sort().join(', ');
  return new Problem('method-not-allowed', {
    detail: `${request.method} is not possible here; ${allow} is.`,
    headers: { [headerNames.allow]: allow },
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
  app.addContentTypeParser('*', (_request, payload: IncomingMessage, done) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (error: Error | null) => {
      payload.off('data', onData).off('end', onEnd).off('error', settle).resume();
      done(error, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limits.bodyBytes) settle(tooLarge());
      else chunks.push(chunk);
    };
    const onEnd = () => settle(null);
    payload.on('data', onData).on('end', onEnd).on('error', settle);
  });
}

function tooLarge(): Problem {
  return new Problem('payload-too-large', { detail: `The body is larger than ${limits.bodyBytes} bytes.` });
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
  reply
    .code(problem.status)
    .headers({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff', ...problem.options.headers })
    .header('content-type', 'application/problem+json')
    .send(Buffer.from(problem.body(problemBase, pathAsSent(request.originalUrl))));
}

const brokenHttp: Readonly<Record<string, readonly [status: number, title: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** A request that breaks HTTP itself gets a plain problem and a closed connection (reading 1.9). */
function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: ServerResponse }): void {
  // Once the head of an answer is out (an event stream, say), another answer would only corrupt it.
  if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const [status, title] = brokenHttp[error.code ?? ''] ?? [400, 'Bad Request'];
  const body = JSON.stringify({
    type: 'about:blank',
    title,
    status,
    detail: 'The request is not valid HTTP, is too large, or came too slowly.',
    instance: '',
  });
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
