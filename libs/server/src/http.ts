import type { Socket } from 'node:net';
import { limits } from '@shiplog/contract';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import { readBodies } from './body.ts';
import { brokenHttpAnswer } from './broken-http.ts';
import { compressAnswers } from './compression.ts';
import { connections, descriptorRoom } from './connections.ts';
import { type ErrorOptions, errorHandler } from './errors.ts';
import { judgeHeads } from './head.ts';
import type { HttpMetrics } from './metrics.ts';
import { judgeQuery, parseQuery } from './query.ts';
import { routableUrl } from './url.ts';

interface HttpOptions extends ErrorOptions {
  readonly logger: Logger;
  readonly metrics?: HttpMetrics;
  /** How long open connections still accept requests after shutdown begins. 0 by default. */
  readonly drainMs?: number;
  /** The address at which browsers reach the program, if it is known. Its path is a prefix that a proxy removes. */
  readonly publicUrl?: string | undefined;
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[];
}

/** The limits on requests and connections (SECURITY.md has the table). */
export const httpLimits = {
  headerBytes: 16 * 1024,
  /**
   * How long the headers and the whole request may take to arrive. Slower requests get a 408, and the connection is
   * closed.
   */
  headersMs: 15_000,
  requestMs: 30_000,
  /** How often the server checks for slow requests. */
  checkMs: 5000,
  /** How long a connection stays open for its next request after a response. */
  idleMs: 72_000,
  /**
   * A connection without traffic is closed, so that unread responses don't accumulate. Streams have a separate limit.
   */
  stillMs: 120_000,
  /** The maximum number of pipelined requests on a connection. */
  requestsAhead: 50,
  /** Far more connections than one instance is sized for. The process needs one file descriptor per connection. */
  connections: 16_000,
} as const;
/** No limit here except the request line, because each name has its own length limit. */
const paramLengthMax = httpLimits.headerBytes;

/** The HTTP server that all our programs share. Handles errors, request bodies, and limits on size and time. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { logger } = options;
  const answerBrokenHttp = brokenHttpAnswer();
  const onError = errorHandler(options);
  const app = Fastify({
    // The program itself logs its address; Fastify logs only warnings and errors.
    loggerInstance: logger.child({}, { level: logger.isLevelEnabled('warn') ? 'warn' : logger.level }),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    requestTimeout: httpLimits.requestMs,
    keepAliveTimeout: httpLimits.idleMs,
    connectionTimeout: httpLimits.stillMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: options.trustedProxies ? [...options.trustedProxies] : false,
    // Disabled because Node's own check sends no body. `head.ts` checks the host instead.
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
  // No limit on the number, because Node would silently drop further headers. Their total size is already limited.
  app.server.maxHeadersCount = 0;
  // An unknown expectation may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.server.on('connect', (_request, socket: Socket) => answerBrokenHttp(new Error('CONNECT'), socket));
  app.setErrorHandler(onError);
  await app.register(connections, {
    ...httpLimits,
    connections: descriptorRoom(httpLimits.connections).connections,
    drainMs: options.drainMs ?? 0,
  });
  await app.register(judgeHeads, { publicUrl: options.publicUrl });
  await app.register(readBodies);
  app.addHook('preHandler', judgeQuery);
  await app.register(compressAnswers);
  if (options.metrics) app.addHook('onResponse', options.metrics.onResponse);
  return app;
}
