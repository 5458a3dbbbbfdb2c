import { HttpMetrics } from '@shiplog/server';
import { Counter, Gauge, Histogram } from 'prom-client';

/** What the fetcher measures of itself (fetcher §13.4), beyond the requests that it answers. */
export class FetcherMetrics {
  readonly http = new HttpMetrics();
  /** Called before metrics are given out: for those that change while nothing happens. */
  onCollect: () => void = () => undefined;
  readonly events = new Counter({
    name: 'shiplog_fetcher_events_total',
    help: 'What became of changes: posted, known to the log before, dropped by a rule or refused by the service, unmapped, or of a status that nobody knows.',
    labelNames: ['source', 'result'],
    registers: [this.http.registry],
  });
  readonly requests = new Counter({
    name: 'shiplog_fetcher_requests_total',
    help: 'Requests to CI/CD tools by status of the answer (none: no answer), and whether they counted against the quota.',
    labelNames: ['source', 'code', 'charged'],
    registers: [this.http.registry],
  });
  readonly cycleSeconds = new Histogram({
    name: 'shiplog_fetcher_cycle_seconds',
    help: 'How long a cycle took, posts included.',
    labelNames: ['source'],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
    registers: [this.http.registry],
  });
  readonly lagSeconds = new Gauge({
    name: 'shiplog_fetcher_lag_seconds',
    help: 'The age of the oldest look at a repository, once all were looked at.',
    labelNames: ['source'],
    registers: [this.http.registry],
    collect: () => this.onCollect(),
  });
  readonly failingRepositories = new Gauge({
    name: 'shiplog_fetcher_failing_repositories',
    help: 'Repositories that get no usable answer while the tool gives others.',
    labelNames: ['source'],
    registers: [this.http.registry],
  });
  readonly forbiddenRepositories = new Gauge({
    name: 'shiplog_fetcher_forbidden_repositories',
    help: 'Repositories, projects and lists that the tool refuses or does not know.',
    labelNames: ['source'],
    registers: [this.http.registry],
  });
  readonly openDeployments = new Gauge({
    name: 'shiplog_fetcher_open_deployments',
    help: 'Deployments that have not come to their end.',
    labelNames: ['source'],
    registers: [this.http.registry],
  });
  readonly unknownOutcomes = new Counter({
    name: 'shiplog_fetcher_unknown_outcomes_total',
    help: 'Posts of which it was not known whether they were stored; the log was asked before the next attempt.',
    registers: [this.http.registry],
  });
  readonly cursorBytes = new Gauge({
    name: 'shiplog_fetcher_cursor_bytes',
    help: 'Size of the cursor that was stored last; the service takes 8192 bytes.',
    labelNames: ['source'],
    registers: [this.http.registry],
  });
  readonly deliveries = new Counter({
    name: 'shiplog_fetcher_deliveries_total',
    help: 'Deliveries of webhooks by what became of them.',
    labelNames: ['hook', 'result'],
    registers: [this.http.registry],
  });
}
