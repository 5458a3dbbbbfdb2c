import { longAgeOf } from '@shiplog/text';
import type { ComponentChildren } from 'preact';
import type { Attention } from '../board/attention.ts';
import { attentionHeadline, inPart, partCounts } from '../board/attention-words.ts';
import { home } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useAnswer } from '../ui/answer.ts';
import { useAddress, useApp, usePast } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import type { AttentionNow } from './use-attention.ts';

/** The number of items of each kind that need attention, each with a link to its items. */
export function AttentionHead({ items, outside, children }: AttentionNow & { readonly children?: ComponentChildren }) {
  const { attention } = useAddress();
  const counts = partCounts(items);
  const headline = attentionHeadline(items);
  return (
    <div class="attention-head wrap">
      <h2 id="attention" class="title">
        {headline}
        {items.length === 0 && '.'}
      </h2>
      <p class="attention-counts wrap soft">
        {counts.map(({ part, text }) => {
          const isListed = attention === part;
          return (
            <Link
              key={part}
              class={part === 'production' ? 'production' : ''}
              aria-current={isListed ? 'true' : undefined}
              to={isListed ? { attention: undefined } : { attention: part, slot: slotOf(inPart(items, part)) }}
            >
              {text}
            </Link>
          );
        })}
        {items.length === 0 && outside === 0 && <LastFailure />}
        {outside > 0 && (
          <Link to={{ filter: home.filter, columns: home.columns, attention: undefined }}>
            {outside} more outside these filters
          </Link>
        )}
      </p>
      {children}
      {/* A screen reader announces the counts, not the ages of the items. */}
      <p class="unseen" role="status">
        {[headline, ...counts.map(({ text }) => text)].join(', ')}
      </p>
    </div>
  );
}

/** The slot that a count links to if it counts a single item. */
function slotOf(items: readonly Attention[]): { readonly service: string; readonly environment: string } | undefined {
  const [only, other] = items;
  if (!only || other || only.environment === undefined) return undefined;
  return { service: only.service, environment: only.environment };
}

/** The last failure in the log: "Last failure 3 days ago, fraud-scorer in staging." */
function LastFailure() {
  const { client, now } = useApp().connection;
  const nowMs = useStore(now);
  const past = usePast();
  const query = { status: 'failure' as const, limit: 1, ...(past !== undefined && { until: past }) };
  const answer = useAnswer(
    async (signal) => (await client.listDeployments({ query, signal })).body.items[0],
    [client, past],
    { touchedBy: ({ status }) => past === undefined && status === 'failure' },
  );
  if (answer.kind !== 'here') return null;
  if (!answer.value)
    return <span>{past === undefined ? 'No failures in the log.' : 'No failures in the log by then.'}</span>;
  const { service, environment, happened_at } = answer.value;
  return (
    <span>
      Last failure {longAgeOf(Date.parse(happened_at), nowMs)},{' '}
      <Link to={{ slot: { service, environment } }}>
        <bdi>{service}</bdi> in <bdi>{environment}</bdi>
      </Link>
      .
    </span>
  );
}
