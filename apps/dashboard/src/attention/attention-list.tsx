import { Mark } from '@shiplog/panels/ui/mark.tsx';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { AgeContext } from '../board/age.ts';
import { type Attention, type AttentionKind, hiddenKey } from '../board/attention.ts';
import {
  attentionSentence,
  detailOf,
  problemText,
  reporterName,
  shortProblem,
  versionIn,
} from '../board/attention-words.ts';
import { type Address, qualityPage } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useIsOut } from '../ui/age.tsx';
import { useApp } from '../ui/app.ts';
import { usePrefixOf } from '../ui/grouping.ts';
import { Link } from '../ui/link.tsx';
import { memo } from '../ui/memo.ts';
import { ServiceName } from '../ui/service-name.tsx';
import { Cut } from '../ui/text.tsx';
import { boldWidth } from '../ui/text-width.ts';
import { Version } from '../ui/version.tsx';

const countAtOnce = 50;

interface AttentionListProps {
  readonly items: readonly Attention[];
  /** The width of a name in pixels, on a phone together with its place. */
  readonly nameWidth: number;
  readonly label: string;
  /** Items are next to each other, so their words are short. */
  readonly isNarrow?: boolean;
}

export function AttentionList({ items, nameWidth, label, isNarrow = false }: AttentionListProps) {
  const { connection, preferences } = useApp();
  const nowMs = useStore(connection.now);
  const isOut = useIsOut();
  const { hidden } = useStore(preferences);
  const prefixOf = usePrefixOf();
  const [count, setCount] = useState(countAtOnce);
  const list = useRef<HTMLUListElement>(null);
  const showMore = () => {
    setCount(count + countAtOnce);
    // The button may have disappeared, so the first added item gets the focus.
    requestAnimationFrame(() => list.current?.children[count]?.querySelector('a')?.focus());
  };
  return (
    <>
      <ul class="attention-list" aria-label={label} ref={list}>
        {items.slice(0, count).map((item) => (
          <AttentionItem
            key={attentionKey(item)}
            {...{ item, nowMs, isOut, nameWidth, isNarrow }}
            prefix={prefixOf(item.service)}
            isHidden={hidden.includes(hiddenKey(item))}
          />
        ))}
      </ul>
      <MoreButton left={items.length - count} onMore={showMore} />
    </>
  );
}

/** Shows more items of a list, if any are left. */
export function MoreButton({ left, onMore }: { readonly left: number; readonly onMore: () => void }) {
  return left <= 0 ? null : (
    <button type="button" class="chip attention-more" onClick={onMore}>
      {left} more
    </button>
  );
}

const shapes: Readonly<Record<AttentionKind, Shape>> = {
  failed: 'bad',
  outage: 'outage',
  bad: 'bad',
  stuck: 'stuck',
  slow: 'run',
  waits: 'pause',
  ahead: 'ahead',
  silent: 'mute',
};

interface AttentionItemProps extends AgeContext {
  readonly item: Attention;
  readonly nameWidth: number;
  readonly prefix: string;
  readonly isHidden: boolean;
  readonly isNarrow: boolean;
}

/** One item that needs attention, linked to its slot. Its accessible name is a full sentence. */
const AttentionItem = memo(({ item, nameWidth, prefix, isHidden, isNarrow, ...ages }: AttentionItemProps) => {
  const { kind, service, environment, isProduction } = item;
  const version = versionIn(item);
  const tone = isProduction ? 'bad filled' : 'bad';
  const className = kind === 'failed' ? tone : kind === 'outage' ? 'outage bad' : kind;
  return (
    <li>
      <Link class={`need ${className}`} to={targetOf(item)} title={detailOf(item, ages)}>
        <span class="unseen">{attentionSentence(item, ages)}</span>
        <span class="need-mark" aria-hidden="true">
          <Mark shape={shapes[kind]} />
        </span>
        <span class="need-name shrink strong" aria-hidden="true">
          {environment === undefined ? (
            <Cut text={reporterName(service)} />
          ) : (
            <ServiceName
              text={service}
              prefix={prefix}
              width={isNarrow ? nameWidth : nameWidth - placeWidth(environment)}
            />
          )}
        </span>
        <NeedLine place={environment ?? 'reporter'} version={version}>
          {isNarrow ? shortProblem(item, ages) : problemText(item, ages)}
        </NeedLine>
      </Link>
      <HideButton item={item} isHidden={isHidden} />
    </li>
  );
});

interface NeedLineProps {
  readonly place: string;
  readonly version: string | undefined;
  /** The state and its age. */
  readonly children: ComponentChildren;
}

/** The second line of an item. A version that doesn't fit is hidden, so that the state and its age are never cut. */
export function NeedLine({ place, version, children }: NeedLineProps) {
  return (
    <span class="need-line fine" aria-hidden="true">
      <span class="need-state row gap-6">
        <b class="need-place shrink">
          <Cut text={place} />
        </b>
        <b class="need-matter">{children}</b>
      </span>
      {version !== undefined && <Version text={version} />}
    </span>
  );
}

const placeWidthMax = 130;

/** The width of an environment's name to the right of the service, in pixels. */
export function placeWidth(environment: string): number {
  return Math.min(placeWidthMax, Math.ceil(boldWidth(environment)));
}

/** Hides an item until it changes. */
function HideButton({ item, isHidden }: { readonly item: Attention; readonly isHidden: boolean }) {
  const { preferences } = useApp();
  const { service, environment } = item;
  const what = isHidden ? 'Show again' : 'Hide until it changes';
  const toggle = () => {
    const others = preferences.value.hidden.filter((key) => key !== hiddenKey(item));
    preferences.prefer({ hidden: isHidden ? others : [...others, hiddenKey(item)].slice(-hiddenMax) });
  };
  return (
    <button
      type="button"
      class="need-hide bare soft"
      aria-label={`${what}: ${service} ${environment ?? ''}`}
      title={what}
      onClick={toggle}
    >
      <Mark shape="hide" />
    </button>
  );
}

const hiddenMax = 500;

/** The target of an item's link: the history of the slot, or for a reporter the quality view. */
function targetOf({ service, environment }: Attention): Partial<Address> {
  return environment === undefined ? qualityPage() : { slot: { service, environment } };
}

/** The key of an item: the item keeps its element while it is about the same slot or reporter. */
function attentionKey({ kind, service, environment }: Attention): string {
  return JSON.stringify([environment === undefined ? kind : environment, service]);
}
