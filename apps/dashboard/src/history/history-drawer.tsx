import type { DeploymentEvent } from '@shiplog/contract';
import { statusLook } from '@shiplog/panels/files/marks.js';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { literalGlob, plain, pluralize, versionOf } from '@shiplog/text';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { inUtc } from '../board/age.ts';
import type { Slot } from '../board/board.ts';
import { boxIn, lookOf, runningIn } from '../board/box.ts';
import { factsIn } from '../board/facts.ts';
import { findingNote, findingTitles } from '../board/finding-titles.ts';
import { boxSentence } from '../board/sentence.ts';
import { beforeOf } from '../log/before.ts';
import { curlOfListing } from '../log/curl.ts';
import { EventList } from '../log/event-list.tsx';
import { useLog } from '../log/follow-log.ts';
import { LastGood } from '../log/last-good.tsx';
import { logQueryOfSlot } from '../log/log-query.ts';
import { type Address, changesOf, comparisonOf, home, qualityPage, releasePage } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { Time, useIsOut } from '../ui/age.tsx';
import { useApp, useBoard, useBoardContext, useNow, usePast } from '../ui/app.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { useDrawer } from '../ui/drawer.ts';
import { Empty } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { Star } from '../ui/star.tsx';
import { Cut } from '../ui/text.tsx';
import { SlotNotices } from './slot-notices.tsx';
import './history.css';
import '../log/events.css';

export interface DrawerProps {
  readonly slot: Slot;
  readonly onClose: () => void;
  /** The content at the top of the drawer, which covers the page on a phone. */
  readonly children: ComponentChildren;
}

const pageRows = 100;

/** The history of one slot in a drawer; the page next to it stays usable. */
export function Drawer({ slot, onClose, children }: DrawerProps) {
  const { service, environment } = slot;
  const { baseUrl } = useApp().connection;
  const past = usePast();
  const query = useMemo(() => logQueryOfSlot(slot, past), [service, environment, past]);
  const reader = useLog(query);
  const { loaded } = useStore(reader.state);
  const { drawer, heading } = useDrawer(onClose);
  return (
    <div
      ref={drawer}
      class="drawer side-panel stack"
      role="dialog"
      aria-modal="false"
      aria-label={`History of ${service} in ${environment}`}
    >
      {children}
      <div class="side-head">
        <h2 ref={heading} class="title" tabIndex={-1}>
          <Cut text={service} /> <Cut text={`in ${environment}`} className="drawer-environment soft" />
        </h2>
        <span class="space" />
        <SlotFindings slot={slot} />
        <Star service={service} />
        <button type="button" class="square" aria-label="Close the history" onClick={onClose}>
          <Mark shape="cross" />
        </button>
      </div>
      <Standing service={service} environment={environment} />
      {!past && <SlotNotices slot={slot} />}
      {past && <p class="small">History until {inUtc(past)}, the time of the board.</p>}
      <div class="bar drawer-bar">
        <Link
          class="chip"
          to={changesOf({
            filter: filterOf(slot),
            range: { name: '30d' },
          })}
        >
          Deployments
        </Link>
        <CompareLink environment={environment} />
        <span class="space" />
        <CopyButton what="Copy as JSON" text={() => JSON.stringify(loaded.events, undefined, 2)} />
        <CopyButton what="Copy as curl" text={() => curlOfListing(baseUrl, { ...query.listing, limit: pageRows })} />
      </div>
      {loaded.isWhole && loaded.events.length === 0 && (
        <Empty title={past ? 'Nothing had been deployed here by then.' : 'Nothing has been deployed here yet.'}>
          {!past && <p>The first event of this service in this environment appears here as soon as it is stored.</p>}
        </Empty>
      )}
      <PreviousGood slot={slot} events={loaded.events} />
      <EventList reader={reader} label="Events of this service in this environment" />
    </div>
  );
}

function filterOf({ service, environment }: Slot): Address['filter'] {
  return { ...home.filter, services: [literalGlob(service)], environments: [literalGlob(environment)] };
}

function CompareLink({ environment }: { readonly environment: string }) {
  const stages = useBoardContext().stages.environments;
  const before = stages[stages.indexOf(environment) - 1];
  return before === undefined ? null : (
    <Link class="chip" to={comparisonOf({ from: before, to: environment })}>
      Compare with <Cut text={before} />
    </Link>
  );
}

/** The last good version before the one that runs, if the loaded events have it. */
function PreviousGood({
  slot: { service, environment },
  events,
}: Pick<DrawerProps, 'slot'> & { readonly events: readonly DeploymentEvent[] }) {
  const row = useBoard()?.rows.get(service);
  const ahead = useStore(useApp().futureRows);
  const box = row && boxIn(row, environment, ahead);
  const running = box && runningIn(box);
  const successes = events.filter(({ status }) => status === 'success');
  const before = running && beforeOf(successes, running, running.happened_at);
  if (!before) return null;
  const still = box.latest.status === 'failure' ? ', which still runs' : '';
  return <LastGood before={before} label={`Last good version before ${plain(versionOf(running))}${still}`} />;
}

/** Shows the slot as the board does, with the text of its cell. */
function Standing({ service, environment }: Slot) {
  const board = useBoard();
  const ahead = useStore(useApp().futureRows);
  const ages = { nowMs: useNow(), isOut: useIsOut() };
  // Reserve the space, so that the rows below don't move.
  if (!board) return <div class="standing tile" />;
  const row = board.rows.get(service);
  const box = row && boxIn(row, environment, ahead);
  if (!box) return null;
  const { named, latest } = box;
  const [shape] = statusLook(latest.status);
  const release = named.version || named.sha;
  const version = <bdi class="version breaks">{plain(versionOf(named))}</bdi>;
  return (
    <div class={`standing tile ${lookOf(box)}`}>
      <span class={shape}>
        <Mark shape={shape} />
      </span>
      {release ? (
        <Link class="release-link shrink" to={releasePage({ service, release, environment })}>
          {version}
        </Link>
      ) : (
        version
      )}
      <Time at={latest.happened_at} />
      <p class="standing-sentence full breaks small">
        <bdi>{plain(boxSentence(box, ages))}</bdi>
      </p>
    </div>
  );
}

/** Links to the quality findings of a slot; shows nothing for a slot without findings. */
function SlotFindings({ slot: { service, environment } }: Pick<DrawerProps, 'slot'>) {
  const found = factsIn(useBoardContext().facts, service, environment)?.findings ?? [];
  const [first] = found;
  if (!first) return null;
  const filter = filterOf({ service, environment });
  return (
    <Link class="chip slot-findings" title={findingNote(found)} to={qualityPage({ filter })}>
      <Mark shape="doubt" />
      <span class="cut">
        Data quality: {found.length === 1 ? findingTitles[first.kind] : pluralize(found.length, 'finding')}
      </span>
    </Link>
  );
}
