import { type Status, statuses } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { inUtc } from '../board/age.ts';
import { filterLabels } from '../filters/filter-labels.ts';
import { FilterChip } from '../filters/glob-chips.tsx';
import { Toolbar } from '../filters/toolbar.tsx';
import { EventList } from '../log/event-list.tsx';
import { useLog } from '../log/follow-log.ts';
import { GroupToggle } from '../log/group-toggle.tsx';
import { type LogQuery, logQueryOf } from '../log/log-query.ts';
import type { LogReader } from '../log/log-reader.ts';
import { feedOf } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Empty } from '../ui/empty.tsx';
import { FirstSteps } from '../ui/first-steps.tsx';
import { Link } from '../ui/link.tsx';
import { statusLabel } from '../ui/status.tsx';
import '../log/events.css';

export function FeedView() {
  const address = useAddress();
  const { connection, ownership: store } = useApp();
  const board = useStore(connection.board);
  const ownership = useStore(store);
  const query = useMemo(
    () =>
      logQueryOf(address, { services: board?.rows.keys() ?? [], environments: board?.environments ?? [] }, ownership),
    [address, board, ownership],
  );
  const reader = useLog(query);
  return (
    <div class="stack feed">
      {!address.quiet && <Toolbar environments={board?.environments ?? []} />}
      {!address.quiet && <FeedBar />}
      <Arrivals reader={reader} />
      <Nothing reader={reader} query={query} />
      <EventList reader={reader} query={query} label="Events" grouped={address.grouped} ofOneSlot={false} />
    </div>
  );
}

/** While the viewer is scrolled down, arriving events wait behind a button. */
function Arrivals({ reader }: { readonly reader: LogReader }) {
  const { held, isBehind } = useStore(reader.state);
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = top.current;
    if (!element) return;
    const observer = new IntersectionObserver((entries) => reader.hold(entries.at(-1)?.isIntersecting === false));
    observer.observe(element);
    return () => observer.disconnect();
  }, [reader]);
  const show = () => {
    const feed = top.current?.parentElement;
    reader.release();
    feed?.scrollIntoView({ block: 'start' });
    // The button that had the focus has disappeared.
    feed?.querySelector<HTMLElement>('.events')?.focus({ preventScroll: true });
  };
  const count = held.length;
  return (
    <>
      <div ref={top} class="feed-top" />
      {(count > 0 || isBehind) && (
        <div class="arrivals">
          <button type="button" class="chip call" onClick={show}>
            {isBehind ? 'Show the newest events' : pluralize(count, 'new event')}
          </button>
        </div>
      )}
    </>
  );
}

function Nothing({ reader, query }: { readonly reader: LogReader; readonly query: LogQuery }) {
  const { loaded } = useStore(reader.state);
  const isFiltered = filterLabels(useAddress()).length > 0;
  if (loaded.events.length > 0 || !(loaded.isWhole || query.isImpossible)) return null;
  if (!isFiltered) return <FirstSteps />;
  return (
    <Empty title="Nothing matches">
      <p>
        {query.isImpossible ? 'These filters contradict each other.' : 'No events match these filters.'}{' '}
        <Link to={feedOf({})}>Show all events</Link>
      </p>
    </Empty>
  );
}

function FeedBar() {
  const { navigation } = useApp();
  const { status, actor, deployment, since, until } = useAddress();
  const labels = {
    status: status && statusLabel(status),
    actor,
    deployment,
    since: since && inUtc(since),
    until: until && inUtc(until),
  };
  return (
    <div class="wrap feed-bar">
      <select
        aria-label="Status"
        value={status ?? ''}
        onChange={({ currentTarget }) =>
          navigation.go({ status: (currentTarget.value || undefined) as Status | undefined })
        }
      >
        <option value="">All statuses</option>
        {statuses.map((name) => (
          <option key={name} value={name}>
            {statusLabel(name)}
          </option>
        ))}
      </select>
      {Object.entries(labels).map(
        ([what, label]) =>
          label && (
            <FilterChip key={what} what={what} label={label} onRemove={() => navigation.go({ [what]: undefined })} />
          ),
      )}
      <span class="space" />
      <GroupToggle />
    </div>
  );
}
