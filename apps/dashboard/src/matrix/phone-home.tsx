import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { ageOf, versionOf } from '@shiplog/text';
import { useState } from 'preact/hooks';
import { AttentionHead } from '../attention/attention-head.tsx';
import { AttentionList } from '../attention/attention-list.tsx';
import { useAttention } from '../attention/use-attention.ts';
import { inPart, partCounts } from '../board/attention-words.ts';
import { emptyBoard, newestFirst, slotKey } from '../board/board.ts';
import { cellSentence } from '../board/sentence.ts';
import type { Found } from '../board/shown.ts';
import { TeamMenu } from '../filters/team-menu.tsx';
import { Toolbar } from '../filters/toolbar.tsx';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useShown } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { Version } from '../ui/version.tsx';
import { PhoneServices } from './phone-services.tsx';
import './phone.css';

/** The board on a phone: what needs attention, what is running, and every service by team. */
export function PhoneHome() {
  const { servicesOnly } = useAddress();
  const board = useStore(useApp().connection.board) ?? emptyBoard;
  const { columns, counts } = useShown();
  return (
    <div class="phone stack gap-8">
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
  const { attention: requested } = useAddress();
  const { items, outside } = useAttention();
  const listed =
    requested === undefined ? items.slice(0, countFirst) : requested === 'all' ? items : inPart(items, requested);
  const remaining = requested === undefined ? items.slice(countFirst) : [];
  return (
    <section aria-labelledby="attention">
      <AttentionHead items={items} outside={outside}>
        <TeamMenu />
      </AttentionHead>
      {listed.length > 0 && (
        <div class="phone-list card ruled">
          <AttentionList key={requested} items={listed} label="What needs attention" />
          {remaining.length > 0 && (
            <Link class="phone-more soft row" to={{ attention: 'all' }}>
              <span>
                <b>{remaining.length} more:</b>{' '}
                {partCounts(remaining, items)
                  .map(({ text }) => text)
                  .join(', ')}
              </span>
            </Link>
          )}
          {requested !== undefined && (
            <Link class="phone-more soft row" to={{ attention: undefined }}>
              Show only the most urgent
            </Link>
          )}
        </div>
      )}
    </section>
  );
}

const countAtOnce = 50;

/** Running deployments, folded to one line that names the newest one. */
function PhoneRunning() {
  const { found } = useShown();
  const { connection, outage } = useApp();
  const nowMs = useStore(connection.now);
  const isOut = useStore(outage) !== undefined;
  const [isOpen, setIsOpen] = useState(false);
  const [count, setCount] = useState(countAtOnce);
  const running = [...found.running].sort((one, other) => newestFirst(one.box.latest, other.box.latest));
  const [newest] = running;
  if (!newest) return null;
  const more = running.length - count;
  return (
    <details
      class="phone-list card ruled"
      open={isOpen}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary class="phone-more soft row run">
        <Mark shape="run" />
        <span>
          <b>{running.length} running</b>, newest <bdi>{newest.service}</bdi> in <bdi>{newest.environment}</bdi>,{' '}
          {isOut ? 'status unknown' : ageOf(Date.parse(newest.box.latest.happened_at), nowMs)}
        </span>
      </summary>
      {isOpen && (
        <ul class="attention-list" aria-label="Running">
          {running.slice(0, count).map((found) => (
            <RunningItem key={slotKey(found.service, found.environment)} {...found} nowMs={nowMs} isOut={isOut} />
          ))}
        </ul>
      )}
      {isOpen && more > 0 && (
        <button type="button" class="chip attention-more" onClick={() => setCount(count + countAtOnce)}>
          {more} more
        </button>
      )}
    </details>
  );
}

type RunningItemProps = Found & { readonly nowMs: number; readonly isOut: boolean };

function RunningItem({ service, environment, box, nowMs, isOut }: RunningItemProps) {
  return (
    <li>
      <Link class="need slow" to={{ slot: { service, environment } }}>
        <span class="unseen">{cellSentence(service, environment, box, nowMs)}</span>
        <span class="need-mark" aria-hidden="true">
          <Mark shape="run" />
        </span>
        <span class="need-name shrink strong" aria-hidden="true">
          <Cut text={service} />
        </span>
        <span class="need-place shrink strong fine" aria-hidden="true">
          <Cut text={environment} />
        </span>
        <span class="need-matter strong cut fine" aria-hidden="true">
          {isOut ? 'unknown' : `running ${ageOf(Date.parse(box.latest.happened_at), nowMs)}`}
        </span>
        <span class="need-version shrink fine" aria-hidden="true">
          <Version text={versionOf(box.named)} />
        </span>
      </Link>
    </li>
  );
}
