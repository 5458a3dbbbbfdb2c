import { longAgeOf } from '@shiplog/text';
import type { ComponentChildren } from 'preact';
import { attentionHeadline, partCounts } from '../board/attention-words.ts';
import { home } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useAnswer } from '../ui/answer.ts';
import { useAddress, useApp, usePast } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import type { SortedAttention } from './use-attention.ts';

interface AttentionHeadProps {
  readonly attention: SortedAttention;
  readonly children?: ComponentChildren;
}

/** How many services need attention, and why. */
export function AttentionHead({ attention, children }: AttentionHeadProps) {
  const { recent, older, outside, isCounting } = attention;
  const counts = partCounts(recent);
  const headline = isCounting ? 'counting …' : attentionHeadline(recent, older.length > 0);
  const isCalm = !isCounting && recent.length === 0 && older.length === 0;
  return (
    <div class="attention-head wrap">
      <h2 id="attention" class="title">
        {headline}
        {isCalm && '.'}
      </h2>
      <p class="attention-counts wrap soft">
        {!isCounting && (
          <span>
            {counts.map(({ part, text }, index) => (
              <>
                {index > 0 && ' · '}
                {part === 'production' ? <b class="bad-text">{text}</b> : text}
              </>
            ))}
            {counts.length > 0 && older.length > 0 && ', new in the last 24 h'}
          </span>
        )}
        {isCalm && outside === 0 && <LastFailure />}
        {outside > 0 && !isCounting && (
          <Link to={{ filter: home.filter, columns: home.columns, attention: undefined }}>
            {outside} more outside these filters
          </Link>
        )}
      </p>
      {children}
      {/* A screen reader announces the counts, not the ages of the items. */}
      <p class="unseen" role="status">
        {isCounting ? '' : [headline, ...counts.map(({ text }) => text)].join(', ')}
      </p>
    </div>
  );
}

/** Links to the items that aren't listed at first. */
export function OtherItems({ attention: { older, hidden }, more }: AttentionHeadProps & { readonly more: number }) {
  const { attention: listed } = useAddress();
  const others = [
    ['all', `${more} more`, more],
    ['older', `${older.length} older`, older.length],
    ['hidden', `${hidden.length} hidden`, hidden.length],
  ] as const;
  return (
    <>
      {others.map(
        ([name, text, count]) =>
          (count > 0 || listed === name) && (
            <Link
              key={name}
              to={{ attention: listed === name ? undefined : name }}
              aria-expanded={listed === name}
              class="attention-other"
            >
              {listed === name ? 'Show less' : text}
            </Link>
          ),
      )}
    </>
  );
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
