import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { useRef, useState } from 'preact/hooks';
import type { Attention, AttentionKind } from '../board/attention.ts';
import {
  type AgeContext,
  attentionSentence,
  detailOf,
  problemText,
  reporterName,
  versionIn,
} from '../board/attention-words.ts';
import type { Address } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { memo } from '../ui/memo.ts';
import { Cut } from '../ui/text.tsx';
import { Version } from '../ui/version.tsx';

const countAtOnce = 50;

export function AttentionList({ items, label }: { readonly items: readonly Attention[]; readonly label: string }) {
  const { connection, outage } = useApp();
  const nowMs = useStore(connection.now);
  const isOut = useStore(outage) !== undefined;
  const [count, setCount] = useState(countAtOnce);
  const list = useRef<HTMLUListElement>(null);
  const more = items.length - count;
  const showMore = () => {
    setCount(count + countAtOnce);
    // The button may have disappeared, so the first added item gets the focus.
    requestAnimationFrame(() => list.current?.children[count]?.querySelector('a')?.focus());
  };
  return (
    <>
      <ul class="attention-list" aria-label={label} ref={list}>
        {items.slice(0, count).map((item) => (
          <AttentionItem key={attentionKey(item)} item={item} nowMs={nowMs} isOut={isOut} />
        ))}
      </ul>
      {more > 0 && (
        <button type="button" class="chip attention-more" onClick={showMore}>
          {more} more
        </button>
      )}
    </>
  );
}

const shapes: Readonly<Record<AttentionKind, Shape>> = {
  failed: 'bad',
  stuck: 'stuck',
  slow: 'run',
  waits: 'pause',
  ahead: 'ahead',
  silent: 'mute',
};

/** One item that needs attention, linked to its slot. Its accessible name is a full sentence. */
const AttentionItem = memo(({ item, ...ages }: AgeContext & { readonly item: Attention }) => {
  const { kind, service, environment, isProduction } = item;
  const version = versionIn(item);
  const className = kind === 'failed' ? (isProduction ? 'bad filled' : 'bad') : kind;
  return (
    <li>
      <Link class={`need ${className}`} to={targetOf(item)}>
        <span class="unseen">{attentionSentence(item, ages)}</span>
        <span class="need-mark" aria-hidden="true">
          <Mark shape={shapes[kind]} />
        </span>
        <span class="need-name shrink strong" aria-hidden="true">
          <Cut text={environment === undefined ? reporterName(service) : service} />
        </span>
        <span class="need-place shrink strong fine" aria-hidden="true">
          <Cut text={environment ?? 'reporter'} />
        </span>
        <span class="need-version shrink fine" aria-hidden="true">
          {version !== undefined && <Version text={version} />}
        </span>
        <span class="need-matter strong cut fine" aria-hidden="true">
          {problemText(item, ages)}
        </span>
        <span class="need-detail soft cut fine" aria-hidden="true">
          <Cut text={detailOf(item, ages)} />
        </span>
      </Link>
    </li>
  );
});

/** The target of an item's link: the history of the slot, or for a reporter the quality view. */
function targetOf({ service, environment }: Attention): Partial<Address> {
  return environment === undefined ? { view: 'quality', slot: undefined } : { slot: { service, environment } };
}

/** The key of an item: the item keeps its element while it is about the same slot or reporter. */
function attentionKey({ kind, service, environment }: Attention): string {
  return JSON.stringify([environment === undefined ? kind : environment, service]);
}
