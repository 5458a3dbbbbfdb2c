import { useRef, useState } from 'preact/hooks';
import type { Attention } from '../board/attention.ts';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';
import { AttentionItem, attentionKey } from './attention-item.tsx';

const countAtOnce = 50;

/** Items that need attention, with a button for the next ones. */
export function AttentionList({ items, label }: { readonly items: readonly Attention[]; readonly label: string }) {
  const { connection, outage } = useApp();
  const nowMs = useStore(connection.now);
  const isOut = useStore(outage) !== undefined;
  const [count, setCount] = useState(countAtOnce);
  const list = useRef<HTMLUListElement>(null);
  const more = items.length - count;
  const showMore = () => {
    setCount(count + countAtOnce);
    // The button may be gone, so the first added item gets the focus.
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
