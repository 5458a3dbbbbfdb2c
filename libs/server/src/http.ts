import type { Socket } from 'node:net';
import { limits } from '@shiplog/contract';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import { readBodies } from './body.ts';
import { brokenHttpAnswer } from './broken-http.ts';
import { compressAnswers } from './compression.ts';
import { connections } from './connections.ts';
import { type ErrorOptions, errorHandler } from './errors.ts';
import { judgeHeads } from './head.ts';
import type { HttpMetrics } from './metrics.ts';
import { routableUrl } from './url.ts';
import { parseQuery } from './validation.ts';

export interface HttpOptions extends ErrorOptions {
  readonly logger: Logger;
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
/** A path segment may fill the whole request line: how long a name may be is for its rule to say. */
const paramLengthMax = httpLimits.headerBytes;

/**
 * The HTTP side that all our programs share: one body for every error, 404 against 405, bodies as bytes whatever their
 * `Content-Type` says, limits on size and time. Routes are added with `route`.
 */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const answerBrokenHttp = brokenHttpAnswer();
  const onError = errorHandler(options);
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
  app.setErrorHandler(onError);
  await app.register(connections, httpLimits);
  await app.register(judgeHeads);
  await app.register(readBodies);
  await app.register(compressAnswers);
  if (options.metrics) app.addHook('onResponse', options.metrics.onResponse);
  return app;
}
