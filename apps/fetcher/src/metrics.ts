import { HttpMetrics } from '@shiplog/server';
import { Counter, Gauge, Histogram } from 'prom-client';

export class FetcherMetrics {
  readonly http = new HttpMetrics();
  /** Called before metrics are read, for those that change with time. */
  onCollect: () => void = () => undefined;
  readonly events = new Counter({
    name: 'shiplog_fetcher_events_total',
    help: 'Changes by result: posted, known (already in the log), dropped (by a rule or rejected by the service), unmapped, or unknown_status.',
    labelNames: ['source', 'result'],
    registers: [this.http.registry],
  });
  readonly requests = new Counter({
    name: 'shiplog_fetcher_requests_total',
    help: 'Requests to CI/CD tools by status code (none: no answer) and whether they count against the quota.',
    labelNames: ['source', 'code', 'charged'],
    registers: [this.http.registry],
  });
  readonly cycleSeconds = new Histogram({
    name: 'shiplog_fetcher_cycle_seconds',
    help: 'Duration of a cycle, including posts.',
    labelNames: ['source'],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
    registers: [this.http.registry],
  });
  readonly lagSeconds = new Gauge({
    name: 'shiplog_fetcher_lag_seconds',
    help: 'Time since the least recently polled repository was polled; absent until all were polled once.',
    labelNames: ['source'],
    registers: [this.http.registry],
    collect: () => this.onCollect(),
  });
  readonly failingRepositories = new Gauge({
    name: 'shiplog_fetcher_failing_repositories',
    help: 'Repositories without a usable answer although the tool answers for others.',
    labelNames: ['source'],
    registers: [this.http.registry],
  });
  readonly forbiddenRepositories = new Gauge({
    name: 'shiplog_fetcher_forbidden_repositories',
    help: "Repositories, projects and lists that the token can't access or that don't exist.",
    labelNames: ['source'],
    registers: [this.http.registry],
  });
  readonly openDeployments = new Gauge({
    name: 'shiplog_fetcher_open_deployments',
    help: 'Deployments that have not ended.',
    labelNames: ['source'],
    registers: [this.http.registry],
  });
  readonly unknownOutcomes = new Counter({
    name: 'shiplog_fetcher_unknown_outcomes_total',
    help: 'Posts with an unknown outcome; the fetcher reads the log before it retries.',
    registers: [this.http.registry],
  });
  readonly cursorBytes = new Gauge({
    name: 'shiplog_fetcher_cursor_bytes',
    help: 'Size of the last stored cursor; the service accepts up to 8192 bytes.',
    labelNames: ['source'],
    registers: [this.http.registry],
  });
  readonly deliveries = new Counter({
    name: 'shiplog_fetcher_deliveries_total',
    help: 'Webhook deliveries by result.',
    labelNames: ['hook', 'result'],
    registers: [this.http.registry],
  });
}
