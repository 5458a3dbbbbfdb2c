import { headerNames } from '@shiplog/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/**
 * Shared by all servers of the process, because the observers of the event loop and the garbage collector can't be
 * stopped.
 */
let ofProcess: Registry | undefined;

function processMetrics(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}

export class HttpMetrics {
  /** The metrics of the process and those added by the program. */
  readonly registry = Registry.merge([processMetrics()]);
  readonly #requests: Counter<'route' | 'method' | 'status'>;
  readonly #seconds: Histogram<'route' | 'method'>;

  constructor() {
    this.#requests = new Counter({
      name: 'http_requests_total',
      help: 'Completed requests by route, method and status.',
      labelNames: ['route', 'method', 'status'],
      registers: [this.registry],
    });
    this.#seconds = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from a request to the end of its response, excluding streams.',
      labelNames: ['route', 'method'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [this.registry],
    });
  }

  readonly onResponse = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    // Paths without a route share one label, so that unknown paths can't create time series.
    const labels = { route: request.routeOptions.url ?? 'none', method: request.method };
    this.#requests.inc({ ...labels, status: reply.statusCode });
    if (!reply.sent || !reply.raw.getHeader(headerNames.streamResume))
      this.#seconds.observe(labels, reply.elapsedTime / 1000);
    done();
  };
}

/** `GET /metrics`, in the text format of Prometheus. */
export function addMetrics(app: FastifyInstance, { registry }: HttpMetrics): void {
  app.get('/metrics', async (_request, reply) =>
    reply
      .headers({ 'content-type': registry.contentType, 'X-Content-Type-Options': 'nosniff' })
      .send(await registry.metrics()),
  );
}
