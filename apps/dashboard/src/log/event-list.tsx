import type { DeploymentEvent } from '@shiplog/contract';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useStore } from '../state/store.ts';
import { failureText, useRecoveries } from '../ui/answer.ts';
import { Fault } from '../ui/empty.tsx';
import { memo } from '../ui/memo.ts';
import { useBreachesOfEvents } from './breaches.tsx';
import { type Chunk, chunksOf } from './chunks.ts';
import { EventRow, type EventRowProps, useRowClicks } from './event-row.tsx';
import type { LogReader, ReaderState } from './log-reader.ts';
import { nearness, Part, scrollerOf } from './part.tsx';

interface EventListProps {
  readonly reader: LogReader;
  readonly label: string;
}

export function EventList({ reader, label }: EventListProps) {
  const state = useStore(reader.state);
  const { events } = state.loaded;
  const isFresh = useMemo(() => (id: string) => reader.isFresh(id), [reader]);
  const opened = useMemo(() => new Set<string>(), [reader]);
  const list = useRowClicks<HTMLElement>();
  const breachOf = useBreachesOfEvents(events);
  const rows = { isFresh, opened, breachOf };
  return (
    <>
      <section ref={list} class="events" aria-label={label} tabIndex={-1} hidden={events.length === 0}>
        <Chunks events={events} {...rows} />
      </section>
      {isBefore(state) ? (
        // A separate element, because the end of the list would jump down when the first rows arrive.
        <p class="waiting" role="status">
          {state.phase === 'asking' && 'Loading events …'}
        </p>
      ) : (
        <More reader={reader} state={state} />
      )}
    </>
  );
}

function isBefore({ phase, loaded }: ReaderState): boolean {
  return phase !== 'failed' && !loaded.edge && !loaded.isWhole;
}

interface RowsProps extends Omit<EventRowProps, 'event'> {
  readonly events: readonly DeploymentEvent[];
}

function Chunks({ events, ...row }: RowsProps) {
  const before = useRef<readonly Chunk[]>([]);
  const chunks = useMemo(() => chunksOf(events, before.current), [events]);
  before.current = chunks;
  return (
    <>
      {chunks.map((chunk) => (
        <EventChunk key={chunk.key} events={chunk.events} {...row} />
      ))}
    </>
  );
}

const EventChunk = memo(({ events, ...row }: RowsProps) => (
  <Part className="event-chunk" rows={events.length}>
    {() => events.map((event) => <EventRow key={event.id} event={event} {...row} />)}
  </Part>
));

interface MoreProps {
  readonly reader: LogReader;
  readonly state: ReaderState;
}

/** The end of the list, with a button that loads older events. Scrolling near the end also loads them. */
function More({ reader, state: { phase, fault, loaded } }: MoreProps) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (!element || phase !== 'resting' || loaded.isWhole || !loaded.edge) return;
    const load = (entries: readonly IntersectionObserverEntry[]) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) void reader.older();
    };
    const observer = new IntersectionObserver(load, { root: scrollerOf(element), rootMargin: nearness });
    observer.observe(element);
    return () => observer.disconnect();
  }, [reader, phase, loaded]);
  const recoveries = useRecoveries();
  useEffect(() => {
    if (phase === 'failed') void reader.older();
  }, [recoveries]);
  return (
    <div ref={end} class="wrap further">
      {phase === 'failed' && <Fault what={failureText(fault)} retry={() => void reader.older()} />}
      <p class="small" role="status">
        {phase === 'asking' && 'Loading events …'}
        {loaded.isWhole && loaded.events.length > 0 && 'This is the first event of this service in this environment.'}
      </p>
      {!loaded.isWhole && loaded.edge && phase !== 'failed' && (
        <button type="button" class="chip" aria-disabled={phase === 'asking'} onClick={() => void reader.older()}>
          Older
        </button>
      )}
    </div>
  );
}
