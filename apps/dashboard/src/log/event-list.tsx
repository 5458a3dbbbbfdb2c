import type { DeploymentEvent } from '@shiplog/contract';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { inUtc } from '../board/age.ts';
import { useStore } from '../state/store.ts';
import { failureText, useRecoveries } from '../ui/answer.ts';
import { Fault } from '../ui/empty.tsx';
import { listen } from '../ui/listen.ts';
import { memo } from '../ui/memo.ts';
import { type Chunk, chunksOf } from './chunks.ts';
import { EventGroup } from './event-group.tsx';
import { EventRow, type EventRowProps } from './event-row.tsx';
import { groupsOf } from './groups.ts';
import type { LogQuery } from './log-query.ts';
import type { LogReader, ReaderState } from './log-reader.ts';
import { nearness, Part, scrollerOf } from './part.tsx';

interface EventListProps {
  readonly reader: LogReader;
  readonly query: LogQuery;
  readonly label: string;
  readonly grouped: boolean;
  readonly ofOneSlot: boolean;
}

export function EventList({ reader, query, label, grouped, ofOneSlot }: EventListProps) {
  const state = useStore(reader.state);
  const { events } = state.loaded;
  const isFresh = useMemo(() => (id: string) => reader.isFresh(id), [reader]);
  const opened = useMemo(() => new Set<string>(), [reader]);
  const list = useRowClicks();
  const rows = { ofOneSlot, isFresh, opened };
  return (
    <>
      <section ref={list} class="events" aria-label={label} tabIndex={-1} hidden={events.length === 0}>
        {grouped ? <Groups events={events} {...rows} /> : <Chunks events={events} {...rows} />}
      </section>
      {isBefore(state) ? (
        // A separate element, because the end of the list would jump down when the first rows arrive.
        <p class="waiting" role="status">
          {state.phase === 'asking' && 'Loading events …'}
        </p>
      ) : (
        <More
          reader={reader}
          state={state}
          query={query}
          last={ofOneSlot ? 'This is the first event of this slot.' : endLabel(query)}
        />
      )}
    </>
  );
}

function isBefore({ phase, loaded }: ReaderState): boolean {
  return phase !== 'failed' && !loaded.edge && !loaded.isWhole;
}

function endLabel({ listing, isFilteredHere }: LogQuery): string {
  const isNarrowed = isFilteredHere || Object.keys(listing).length > 0;
  return isNarrowed ? 'No older events match these filters.' : 'This is the beginning of the log.';
}

interface RowsProps extends Omit<EventRowProps, 'event'> {
  readonly events: readonly DeploymentEvent[];
}

function Groups({ events, ...row }: RowsProps) {
  const groups = useMemo(() => groupsOf(events), [events]);
  return (
    <ol>
      {groups.map((group) => (
        <Part key={group.deployment} tag="li" className="event-group" rows={group.events.length + 1}>
          {() => <EventGroup group={group} {...row} />}
        </Part>
      ))}
    </ol>
  );
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
  <Part tag="ol" className="event-chunk" rows={events.length}>
    {() => events.map((event) => <EventRow key={event.id} event={event} {...row} />)}
  </Part>
));

interface MoreProps extends Pick<EventListProps, 'reader' | 'query'> {
  readonly state: ReaderState;
  readonly last: string;
}

/** The end of the list, with a button that loads older events. Scrolling near the end also loads them. */
function More({ reader, state, query, last }: MoreProps) {
  const { phase, fault, loaded } = state;
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
  const progress = query.isFilteredHere && loaded.edge ? progressOf(state, loaded.edge.happened_at) : undefined;
  return (
    <div ref={end} class="wrap further">
      {phase === 'failed' && <Fault what={failureText(fault)} retry={() => void reader.older()} />}
      <p class="small" role="status">
        {phase === 'asking' && (progress ? `Searching: ${progress} …` : 'Loading events …')}
        {phase === 'paused' &&
          progress &&
          `${loaded.events.length === 0 ? 'No matches so far' : 'Paused'}: ${progress}.`}
        {loaded.isWhole && loaded.events.length > 0 && last}
      </p>
      {!loaded.isWhole && loaded.edge && phase !== 'failed' && (
        <OlderButton reader={reader} state={state} query={query} />
      )}
    </div>
  );
}

/** One button with changing labels, so that it keeps the focus while pages load. */
function OlderButton({ reader, state: { phase }, query }: Omit<MoreProps, 'last'>) {
  const isAsking = phase === 'asking';
  const canStop = isAsking && query.isFilteredHere;
  return (
    <button
      type="button"
      class="chip"
      aria-disabled={isAsking && !canStop}
      onClick={() => (canStop ? reader.stop() : void reader.older())}
    >
      {canStop ? 'Stop searching' : phase === 'paused' ? 'Search further back' : 'Older'}
    </button>
  );
}

function progressOf({ searched }: ReaderState, backTo: string): string {
  return `${searched.toLocaleString('en')} events searched, back to ${inUtc(backTo).slice(0, 10)}`;
}

/** A click on a row opens the fields of its event, except on links and selected text. */
function useRowClicks() {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    const list = element.current;
    const press = ({ target }: Event) => {
      const pressed = target as Element;
      const isOwn = pressed.closest('a, button') !== null;
      if (isOwn || getSelection()?.isCollapsed === false) return;
      pressed.closest('.event-line')?.querySelector<HTMLElement>('.event-toggle')?.click();
    };
    return list ? listen(list, { click: press }) : undefined;
  }, []);
  return element;
}
