import { useEffect, useState } from 'preact/hooks';
import { inPart, partCounts } from '../board/attention-words.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { listen } from '../ui/listen.ts';
import { AttentionHead } from './attention-head.tsx';
import { AttentionList } from './attention-list.tsx';
import { countIn, isTravelling, type Room, rowsFor, spaceIn, useStripRows } from './strip-rows.ts';
import { useAttention } from './use-attention.ts';
import './attention.css';

/** What needs attention, above the board: most urgent first, each linked to its slot. */
export function AttentionStrip() {
  const { preferences } = useApp();
  const address = useAddress();
  const { attentionFolded: isFolded } = useStore(preferences);
  const { items, outside } = useAttention();
  const room = useRoom();
  const rows = useStripRows(preferences, address, items, room);
  const needed = rowsFor(items.length, room);
  useEffect(() => {
    if (!isTravelling(address) && preferences.value.attentionRows !== needed)
      preferences.prefer({ attentionRows: needed });
  }, [needed]);
  const { attention: listed, quiet } = address;
  const isLine = isFolded && listed === undefined;
  const first = items.slice(0, isLine ? 0 : countIn(rows, room));
  const remaining = items.slice(first.length);
  return (
    <section class="card attention" aria-labelledby="attention">
      <AttentionHead items={items} outside={outside}>
        {!quiet && (
          <span class="attention-fold row push nowrap">
            {listed === undefined && remaining.length > 0 && first.length > 0 && (
              <Link class="attention-rest" to={{ attention: 'all' }}>
                {remaining.length} more
                <span>
                  :{' '}
                  {partCounts(remaining, items)
                    .map(({ text }) => text)
                    .join(', ')}
                </span>
              </Link>
            )}
            {listed === undefined ? (
              <button type="button" class="as-link" onClick={() => preferences.prefer({ attentionFolded: !isFolded })}>
                {isFolded ? 'Unfold' : 'Fold to one line'}
              </button>
            ) : (
              <Link to={{ attention: undefined }}>Show less</Link>
            )}
          </span>
        )}
      </AttentionHead>
      {listed !== undefined ? (
        <div class="attention-asked">
          <AttentionList
            key={listed}
            items={listed === 'all' ? items : inPart(items, listed)}
            label="What needs attention"
          />
        </div>
      ) : (
        !isLine &&
        rows > 0 && (
          <div class="attention-rows" style={{ '--rows': rows, '--columns': spaceIn(room).columns }}>
            <AttentionList items={first} label="What needs attention most" />
          </div>
        )
      )}
    </section>
  );
}

function useRoom(): Room {
  const [room, setRoom] = useState<Room>({ width: innerWidth, height: innerHeight });
  useEffect(() => listen(window, { resize: () => setRoom({ width: innerWidth, height: innerHeight }) }), []);
  return room;
}
