import { AttentionHead } from '../attention/attention-head.tsx';
import { AttentionList } from '../attention/attention-list.tsx';
import { useAttention } from '../attention/use-attention.ts';
import { inPart, partCounts } from '../board/attention-parts.ts';
import { emptyBoard } from '../board/board.ts';
import { TeamMenu } from '../filters/team-menu.tsx';
import { Toolbar } from '../filters/toolbar.tsx';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useShown } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { PhoneRunning } from './phone-running.tsx';
import { PhoneServices } from './phone-services.tsx';
import './phone.css';

/** The board on a phone: what needs attention, what is running, and every service by team. */
export function PhoneHome() {
  const { servicesOnly } = useAddress();
  const board = useStore(useApp().connection.board) ?? emptyBoard;
  const { columns, counts } = useShown();
  return (
    <div class="phone">
      {servicesOnly ? (
        <Toolbar environments={board.environments} columns={columns} counts={counts} />
      ) : (
        <>
          <PhoneAttention />
          <PhoneRunning />
        </>
      )}
      <PhoneServices />
    </div>
  );
}

const countFirst = 10;

function PhoneAttention() {
  const { attention: asked } = useAddress();
  const { items, outside } = useAttention();
  const listed = asked === undefined ? items.slice(0, countFirst) : asked === 'all' ? items : inPart(items, asked);
  const rest = asked === undefined ? items.slice(countFirst) : [];
  return (
    <section aria-labelledby="attention">
      <AttentionHead items={items} outside={outside}>
        <TeamMenu />
      </AttentionHead>
      {listed.length > 0 && (
        <div class="phone-list">
          <AttentionList key={asked} items={listed} label="What needs attention" />
          {rest.length > 0 && (
            <Link class="phone-more" to={{ attention: 'all' }}>
              <span>
                <b>{rest.length} more:</b>{' '}
                {partCounts(rest, items)
                  .map(({ text }) => text)
                  .join(', ')}
              </span>
            </Link>
          )}
          {asked !== undefined && (
            <Link class="phone-more" to={{ attention: undefined }}>
              Show only the most urgent
            </Link>
          )}
        </div>
      )}
    </section>
  );
}
