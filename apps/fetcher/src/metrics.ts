import { HttpMetrics } from '@shiplog/server';
import { Counter, Gauge, Histogram } from 'prom-client';

export class FetcherMetrics {
  readonly http = new HttpMetrics();
  readonly #registers = [this.http.registry];
  /** Called before metrics are read, to update those that change with time. */
  onCollect: () => void = () => undefined;
  readonly events = this.#counter(
    'events_total',
    'Changes by result: posted, known (already in the log), dropped (by a rule or rejected by the service), unmapped, or unknown_status.',
    ['source', 'result'],
  );
  readonly requests = this.#counter(
    'requests_total',
    'Requests to CI/CD tools by status code (none: no answer) and whether they count against the quota.',
    ['source', 'code', 'charged'],
  );
  readonly cycleSeconds = new Histogram({
    name: 'shiplog_fetcher_cycle_seconds',
    help: 'Duration of a cycle, including posts.',
    labelNames: ['source'],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
    registers: this.#registers,
  });
  readonly lagSeconds = this.#gauge(
    'lag_seconds',
    'Time since the least recently polled repository was polled; absent until all were polled once.',
    () => this.onCollect(),
  );
  readonly failingRepositories = this.#gauge(
    'failing_repositories',
    'Repositories without a usable answer although the tool answers for others.',
  );
  readonly forbiddenRepositories = this.#gauge(
    'forbidden_repositories',
    "Repositories, projects and lists that the token can't access or that don't exist.",
  );
  readonly openDeployments = this.#gauge('open_deployments', 'Deployments that have not ended.');
  readonly unknownOutcomes = this.#counter(
    'unknown_outcomes_total',
    'Posts with an unknown outcome; the fetcher reads the log before it retries.',
    [],
  );
  readonly cursorBytes = this.#gauge(
    'cursor_bytes',
    'Size of the last stored cursor; the service accepts up to 8192 bytes.',
  );
  readonly deliveries = this.#counter('deliveries_total', 'Webhook deliveries by result.', ['hook', 'result']);
  readonly outages = this.#counter(
    'outages_total',
    'Reports about outages by result: posted, known (the log has the state), or refused.',
    ['hook', 'result'],
  );

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name: `shiplog_fetcher_${name}`, help, labelNames, registers: this.#registers });
  }

  #gauge(name: string, help: string, collect: () => void = () => undefined): Gauge<'source'> {
    const labelNames = ['source'] as const;
    return new Gauge({ name: `shiplog_fetcher_${name}`, help, labelNames, registers: this.#registers, collect });
  }
}
