import { useRef } from 'preact/hooks';
import type { Attention } from '../board/attention.ts';
import { inPart } from '../board/attention-words.ts';
import type { Address } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, usePast } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { useWindowSize } from '../ui/use-media.ts';
import { AttentionHead, OtherItems } from './attention-head.tsx';
import { AttentionList } from './attention-list.tsx';
import { type SortedAttention, useSortedAttention } from './use-attention.ts';
import './attention.css';

/** A lower window has no space for the items. */
const heightMin = 700;
const itemWidthMin = 230;
const itemsMax = 5;
const marginPx = 64;
const gapPx = 8;
/** The parts of an item other than its name. */
const besideNamePx = 66;

/** What needs attention, above the board: most urgent first, each linked to its slot. */
export function AttentionStrip() {
  const { preferences } = useApp();
  const address = useAddress();
  const { attentionFolded } = useStore(preferences);
  const attention = useSortedAttention();
  const { width, height } = useWindowSize();
  const isPast = usePast() !== undefined;
  // A row that has been shown stays until the viewer does something, and items that are being counted keep their space,
  // so that the board below doesn't move.
  const row = useRef<Address | undefined>(undefined);
  if (attention.recent.length > 0 || attention.isCounting) row.current = address;
  const { attention: listed } = address;
  const columns = Math.max(1, Math.min(itemsMax, Math.floor((width - marginPx) / itemWidthMin)));
  const nameWidth = (width - marginPx - gapPx * (columns - 1)) / columns - besideNamePx;
  const isLine = height < heightMin || attentionFolded;
  const hasRow = !isLine && listed === undefined && (isPast || row.current === address);
  const first = hasRow ? attention.recent.slice(0, columns) : [];
  return (
    <section class={`card attention ${isLine ? 'one-line' : ''}`} aria-labelledby="attention">
      <AttentionHead attention={attention}>
        <span class="attention-fold row push nowrap">
          <OtherItems attention={attention} more={attention.recent.length - first.length} />
          {height >= heightMin && (
            <button
              type="button"
              class="as-link"
              onClick={() => preferences.prefer({ attentionFolded: !attentionFolded })}
            >
              {attentionFolded ? 'Unfold' : 'Fold'}
            </button>
          )}
        </span>
      </AttentionHead>
      {(hasRow || listed !== undefined) && (
        <div
          class={listed === undefined ? 'attention-row' : 'attention-asked'}
          style={{ '--columns': columns }}
          key={listed}
        >
          <AttentionList
            items={listed === undefined ? first : itemsIn(listed, attention)}
            nameWidth={nameWidth}
            isNarrow
            label={listed === undefined ? 'What needs attention most' : 'What needs attention'}
          />
          {listed !== undefined && !['all', 'older', 'hidden'].includes(listed) && (
            <Link to={{ attention: undefined }}>Show less</Link>
          )}
        </div>
      )}
    </section>
  );
}

/** The items that an address selects. */
export function itemsIn(
  listed: NonNullable<Address['attention']>,
  { recent, older, hidden }: SortedAttention,
): readonly Attention[] {
  if (listed === 'all') return recent;
  if (listed === 'older') return older;
  return listed === 'hidden' ? hidden : inPart([...recent, ...older], listed);
}
