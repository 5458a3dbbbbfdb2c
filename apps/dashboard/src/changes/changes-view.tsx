import type { Change } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { FirstSteps } from '../first-run/first-steps.tsx';
import { startOf } from '../range/calendar.ts';
import { liveAgain, spanOf } from '../range/range.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useBoardContext } from '../ui/app.ts';
import { useCommand } from '../ui/commands.ts';
import { Empty, Fault } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { listen } from '../ui/listen.ts';
import { useRest } from '../ui/use-rest.ts';
import { type ChangeList, isFiltered, wantsChange } from './change-list.ts';
import { ChangeRows } from './change-rows.tsx';
import { ChangesBar } from './changes-bar.tsx';
import { DayStrip } from './day-strip.tsx';
import { DeploymentChanges } from './deployment-changes.tsx';
import { Headline } from './headline.tsx';
import { NetTable } from './net-table.tsx';
import { type Question, questionOf } from './question.ts';
import { type LoadedChanges, useAhead, useChangeList, useNet } from './use-changes.ts';
import '../log/events.css';
import '../style/lists.css';
import './changes.css';

export function ChangesView() {
  const address = useAddress();
  const { connection } = useApp();
  const board = useStore(connection.board);
  const context = useBoardContext();
  const [list, setList] = useState<ChangeList>();
  const isPlaceKnown = useStore(connection.areStagesKnown) || address.filter.environments.length > 0;
  const asked = board && isPlaceKnown ? questionOf(address, board, context) : undefined;
  if (address.deployment !== undefined) return <DeploymentChanges deployment={address.deployment} />;
  if (board?.rows.size === 0) return <FirstSteps />;
  const question = asked && !('fault' in asked) ? asked : undefined;
  // The filters keep their place, so that nothing that is being typed is lost when the stages are known.
  return (
    <div class="changes">
      <ChangesBar question={question} failed={list?.first.counts.by_state.failure} list={list} />
      {question ? (
        <Answer question={question} onList={setList} />
      ) : asked && 'fault' in asked ? (
        <p class="note">{asked.fault}</p>
      ) : (
        <p class="waiting">Loading the changes …</p>
      )}
    </div>
  );
}

interface AnswerProps {
  readonly question: Question;
  /** Called with the list that is shown; `undefined` while there is none. */
  readonly onList: (list: ChangeList | undefined) => void;
}

function Answer({ question, onList }: AnswerProps) {
  const { net: isNet, filter, actor } = useAddress();
  const [isHeld, setHeld] = useState(false);
  const isPointed = usePointed();
  const top = useRef<HTMLDivElement>(null);
  const narrowed = { text: filter.text, actor };
  const loaded = useChangeList(question, isHeld || isPointed, isFiltered(narrowed) ? 500 : undefined);
  const net = useNet(question);
  const dated = useAhead(question, loaded.list?.first.ahead);
  useEffect(() => {
    const element = top.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver((entries) => setHeld(entries.at(-1)?.isIntersecting === false));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const ofQuestion = net.kind === 'here' && net.value.of === question.key ? net.value : undefined;
  // The sentence and the rows appear together, so that neither moves the other.
  const isHere = dated !== undefined && (ofQuestion !== undefined || net.kind === 'failed');
  const list = isHere ? loaded.list : undefined;
  useLayoutEffect(() => {
    onList(list);
    return () => onList(undefined);
  }, [list]);
  const show = () => {
    loaded.release();
    top.current?.scrollIntoView({ block: 'end' });
  };
  return (
    <>
      <DayStrip question={question} />
      <div ref={top} class="changes-top" />
      <Headline question={question} list={list} net={ofQuestion} />
      {loaded.waiting > 0 && (
        <div class="arrivals">
          <button type="button" class="chip call" onClick={show}>
            {pluralize(loaded.waiting, 'new change')}
          </button>
        </div>
      )}
      {isNet && (list || net.kind === 'failed') ? (
        <NetTable question={question} answer={net} changes={list?.items ?? []} />
      ) : (
        <Deployments question={question} loaded={{ ...loaded, list }} dated={dated ?? []} />
      )}
      {list && <Foot question={question} />}
    </>
  );
}

/** Whether the mouse moves over the rows. Until it rests, no row moves, so that a click opens the row it was meant for. */
function usePointed(): boolean {
  const [isPointed, setPointed] = useState(false);
  useEffect(() => {
    const move = ({ target, pointerType }: PointerEvent) =>
      setPointed(pointerType === 'mouse' && (target as Element).closest('.changes-list') !== null);
    return listen(document, { pointermove: move }, { passive: true });
  }, []);
  useRest(isPointed ? () => setPointed(false) : undefined);
  return isPointed;
}

interface DeploymentsProps {
  readonly question: Question;
  readonly loaded: LoadedChanges;
  /** The changes dated ahead of the clock. */
  readonly dated: readonly Change[];
}

function Deployments({ question, loaded, dated }: DeploymentsProps) {
  const { filter, actor } = useAddress();
  const nowMs = useStore(useApp().connection.now.present);
  const { list, fault } = loaded;
  const narrowed = { text: filter.text, actor };
  const items = list?.items;
  const { fromMs, toMs, isLive } = spanOf(question.range, nowMs);
  const isLater = ({ ended_at }: Change) => !isLive && (ended_at === null || Date.parse(ended_at) >= toMs);
  const shown = useMemo(() => {
    const wanted = isFiltered(narrowed) ? items?.filter((item) => wantsChange(narrowed, item)) : items;
    return wanted && [...wanted.filter(isLater), ...wanted.filter((item) => !isLater(item))];
  }, [items, filter.text, actor, isLive, toMs]);
  if (!list || !shown) {
    return fault ? <Fault what={fault.what} retry={fault.retry} /> : <p class="waiting">Loading the changes …</p>;
  }
  const captionOf = shown.some(isLater)
    ? (item: Change) => (isLater(item) ? 'Not ended by the end of this range' : 'Ended in this range')
    : undefined;
  const day = startOf('day', fromMs, 0, 'local');
  const isOneDay = toMs <= startOf('day', fromMs, 1, 'local');
  const ahead = dated.filter((item) => wantsChange(narrowed, item));
  return (
    <>
      <Ahead changes={ahead} />
      {shown.length > 0 && (
        <ChangeRows label="Changes" changes={shown} day={isOneDay ? day : undefined} captionOf={captionOf} />
      )}
      {shown.length === 0 && ahead.length === 0 && list.next === null && (
        <Empty title={list.first.counts.changes === 0 ? 'No deployments in this range' : 'Nothing matches'}>
          <p>
            {list.first.counts.changes === 0
              ? 'Choose a longer range, or other environments.'
              : 'No deployments of this range match the filters.'}
          </p>
        </Empty>
      )}
      <More loaded={loaded} shown={shown.length} isFiltered={isFiltered(narrowed)} />
    </>
  );
}

/** Changes with an event that is dated ahead of the clock, folded into one line. */
function Ahead({ changes }: { readonly changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  return (
    <details class="ahead-changes">
      <summary class="small">
        <b>{pluralize(changes.length, 'change')} with events dated ahead</b> of the clock
      </summary>
      <ChangeRows label="Changes with events dated ahead" changes={changes} day={undefined} />
    </details>
  );
}

/** After this number of matches, searching stops until the viewer scrolls further. */
const screenful = 30;

interface MoreProps {
  readonly loaded: LoadedChanges;
  /** The number of rows that match. */
  readonly shown: number;
  readonly isFiltered: boolean;
}

/** Loads more pages near the end of the list. With a filter, it searches until there is a screenful of matches. */
function More({ loaded, shown, isFiltered }: MoreProps) {
  const { list, isAsking, fault, more } = loaded;
  const end = useRef<HTMLDivElement>(null);
  const [isStopped, setStopped] = useState(false);
  const [wanted, setWanted] = useState(screenful);
  const isSearching = isFiltered && !isStopped && !fault && list?.next !== null && shown < wanted;
  const latest = useRef(more);
  latest.current = async () => {
    setWanted(shown + screenful);
    await more();
  };
  useEffect(() => {
    if (isSearching && !isAsking) void more();
  }, [isSearching, isAsking, list]);
  useEffect(() => {
    const element = end.current;
    if (!element || list?.next === null || isAsking || fault || isStopped) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && void latest.current(),
      { root: element.closest('main'), rootMargin: '100% 0px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [list, isAsking, fault, isStopped]);
  if (!list || list.next === null) return null;
  const { counts } = list.first;
  const progress = `${list.items.length} of ${pluralize(counts.changes, 'deployment')}`;
  return (
    <div ref={end} class="wrap further">
      {fault && <Fault what={fault.what} retry={fault.retry} />}
      <p class="small" role="status">
        {isFiltered ? `${isStopped ? 'Searched' : 'Searching'}: ${progress}, ${shown} match` : `${progress} loaded`}
      </p>
      <button
        type="button"
        class="chip"
        onClick={() => {
          setStopped(isSearching);
          if (!isSearching) void latest.current();
        }}
      >
        {isSearching ? 'Stop searching' : 'Load more'}
      </button>
    </div>
  );
}

/** Says whether the page is live, and lists the keys. */
function Foot({ question }: { readonly question: Question }) {
  const { navigation, connection, preferences } = useApp();
  const nowMs = useStore(connection.now.present);
  const { singleKeys } = useStore(preferences);
  const { net } = useAddress();
  const { isLive } = spanOf(question.range, nowMs);
  const live = { range: liveAgain(question.range, nowMs) };
  useCommand('now', isLive ? undefined : () => navigation.go(live));
  return (
    <div class="wrap fine soft changes-foot">
      {isLive ? (
        <span>New changes appear as they happen.</span>
      ) : (
        <>
          <span>This range is over: only events that arrive late change the list.</span>
          <Link class="strong" to={live}>
            Go live
          </Link>
        </>
      )}
      <span class="space" />
      {singleKeys && !net && (
        <span class="changes-keys">
          <kbd>j</kbd> <kbd>k</kbd> move <kbd>Space</kbd> peek <kbd>Enter</kbd> open
        </span>
      )}
    </div>
  );
}
