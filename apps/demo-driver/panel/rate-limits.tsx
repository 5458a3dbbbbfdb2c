import { type Fields, fieldsOf, fieldText } from '@shiplog/panels/ui/api.ts';
import { Card } from '@shiplog/panels/ui/page.tsx';
import { Age, plain } from '@shiplog/panels/ui/text.tsx';

/** More than any installation has; more adapters are not shown. */
const adaptersMax = 12;

export type RateLimits = ReadonlyMap<string, Fields>;

/** The newest report of each adapter; `record` is a component event of the type `rate-limit`. */
export function withReport(limits: RateLimits, record: Fields): RateLimits {
  const adapter = plain(fieldText(fieldsOf(record.payload), 'adapter', 128));
  if (!adapter || (limits.size === adaptersMax && !limits.has(adapter))) return limits;
  return new Map(limits).set(adapter, record);
}

export function RateLimitsCard({ limits }: { readonly limits: RateLimits }) {
  return (
    <Card title="Rate limits" id="limits">
      <p class="small" id="limits-empty" hidden={limits.size > 0}>
        No reports yet. A running fetcher sends one per adapter and poll.
      </p>
      {[...limits].map(([adapter, record]) => (
        <RateLimit key={adapter} adapter={adapter} record={record} />
      ))}
    </Card>
  );
}

function RateLimit({ adapter, record }: { readonly adapter: string; readonly record: Fields }) {
  const report = fieldsOf(record.payload);
  const { own_used: used, own_budget: budget, ci_remaining: remaining, ci_limit: limit } = report;
  return (
    <section class="limit" aria-label={`Rate limit of ${adapter}`}>
      <h3>
        {adapter}
        {record.state === 'paused' && ' · paused'}
      </h3>
      {typeof used === 'number' && typeof budget === 'number' && budget > 0 && (
        <meter
          aria-label={`Used of the budget of ${adapter}`}
          min={0}
          max={budget}
          high={budget * 0.9}
          optimum={0}
          value={used}
        />
      )}
      <dl class="facts">
        <dt>Used of budget</dt>
        <dd>{share(used, budget)}</dd>
        <dt>Remaining of limit</dt>
        <dd>{share(remaining, limit)}</dd>
        <dt>Resets</dt>
        <dd>
          <Age at={report.reset_at} />
        </dd>
        <dt>Reported</dt>
        <dd>
          <Age at={record.received_at} />
        </dd>
      </dl>
    </section>
  );
}

function share(part: unknown, whole: unknown): string {
  const text = (count: unknown) => (typeof count === 'number' ? count.toLocaleString('en') : 'unknown');
  return `${text(part)} of ${text(whole)}`.replace('unknown of unknown', 'unknown');
}
