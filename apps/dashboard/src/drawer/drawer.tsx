import { plain } from '@shiplog/panels/files/dom.js';
import { statusLook } from '@shiplog/panels/files/marks.js';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { boxIn, lookOf, versionOf } from '../board/box.ts';
import { boxSentence } from '../board/sentence.ts';
import { curlOfListing } from '../log/curl.ts';
import { EventList } from '../log/event-list.tsx';
import { useLog } from '../log/follow-log.ts';
import { GroupToggle } from '../log/group-toggle.tsx';
import { logQueryOfSlot } from '../log/log-query.ts';
import { useStore } from '../state/store.ts';
import { Time } from '../ui/age.tsx';
import { useAddress, useApp } from '../ui/app.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Empty } from '../ui/empty.tsx';
import { listen } from '../ui/listen.ts';
import { Mark } from '../ui/mark.tsx';
import { Cut } from '../ui/text.tsx';
import '../style/drawer.css';
import '../style/feed.css';

export interface DrawerProps {
  readonly slot: { readonly service: string; readonly environment: string };
  readonly onClose: () => void;
  /** What has to be shown although the drawer covers the page on a phone. */
  readonly children: ComponentChildren;
}

const pageRows = 100;

/** The history of one slot, beside the page, which stays usable. */
export function Drawer({ slot, onClose, children }: DrawerProps) {
  const { service, environment } = slot;
  const { baseUrl } = useApp().connection;
  const { grouped } = useAddress();
  const query = useMemo(() => logQueryOfSlot(slot), [service, environment]);
  const reader = useLog(query);
  const { loaded } = useStore(reader.state);
  const drawer = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusWhileOpen(drawer, heading);
  useEscape(drawer, onClose);
  return (
    <div
      ref={drawer}
      class="drawer"
      role="dialog"
      aria-modal="false"
      aria-label={`History of ${service} in ${environment}`}
    >
      {children}
      <div class="drawer-head">
        <h2 ref={heading} tabIndex={-1}>
          <Cut text={service} /> <Cut text={`in ${environment}`} className="drawer-environment" />
        </h2>
        <button type="button" class="drawer-close" aria-label="Close the history" onClick={onClose}>
          <Mark shape="cross" />
        </button>
      </div>
      <Standing service={service} environment={environment} />
      <div class="drawer-bar">
        <GroupToggle />
        <span class="space" />
        <CopyButton what="Copy as JSON" text={() => JSON.stringify(loaded.events, undefined, 2)} />
        <CopyButton what="Copy as curl" text={() => curlOfListing(baseUrl, { ...slot, limit: pageRows })} />
      </div>
      {loaded.isWhole && loaded.events.length === 0 && (
        <Empty title="Nothing was ever deployed here.">
          <p>The first event of this service in this environment shows up here as it is stored.</p>
        </Empty>
      )}
      <EventList reader={reader} query={query} label="Events of this slot" grouped={grouped} ofOneSlot={true} />
    </div>
  );
}

/** The slot as the board has it: what its cell shows, and the cell's sentence as text. */
function Standing({ service, environment }: DrawerProps['slot']) {
  const { connection, aheadSlots } = useApp();
  const board = useStore(connection.board);
  const ahead = useStore(aheadSlots);
  const nowMs = useStore(connection.now);
  // It keeps its room, so that what is below does not move.
  if (!board) return <div class="standing" />;
  const row = board.rows.get(service);
  const box = row && boxIn(row, environment, ahead);
  if (!box) return null;
  const { named, latest } = box;
  const [shape] = statusLook(latest.status);
  return (
    <div class={`standing ${lookOf(box)}`}>
      <span class={shape}>
        <Mark shape={shape} />
      </span>
      <bdi class="version">{plain(versionOf(named))}</bdi>
      <Time at={latest.happened_at} />
      <p class="standing-sentence small">
        <bdi>{plain(boxSentence(box, nowMs))}</bdi>
      </p>
    </div>
  );
}

/**
 * The heading gets the focus when the drawer opens, and the element that had it gets it back, unless it has moved on.
 * Both happen before the next paint, so that the focus is never nowhere.
 */
function useFocusWhileOpen(
  drawer: { readonly current: HTMLElement | null },
  heading: { readonly current: HTMLElement | null },
): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    const inside = drawer.current;
    heading.current?.focus({ preventScroll: true });
    return () => {
      const isElsewhere = document.activeElement !== document.body && !inside?.contains(document.activeElement);
      if (isElsewhere) return;
      const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected;
      const back = isThere ? before : document.getElementById('main');
      back?.focus({ preventScroll: true });
    };
  }, []);
}

/** Escape closes wherever the focus is, except in a field of the page, which uses the key itself. */
function useEscape(drawer: { readonly current: HTMLElement | null }, onClose: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      const target = event.target as Element;
      const isField = target.matches('input, select, textarea') && !drawer.current?.contains(target);
      if (!isField) onClose();
    };
    return listen(document, { keydown: press });
  }, [onClose]);
}
