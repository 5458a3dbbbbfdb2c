import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { ageOf, versionOf } from '@shiplog/text';
import { useState } from 'preact/hooks';
import { newestFirst } from '../board/board.ts';
import { cellSentence } from '../board/sentence.ts';
import type { Found } from '../board/shown.ts';
import { useStore } from '../state/store.ts';
import { useApp, useShown } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { Version } from '../ui/version.tsx';

const countAtOnce = 50;

/** Running deployments, folded to one line that names the newest. */
export function PhoneRunning() {
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
    <details class="phone-list" open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
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
            <RunningItem
              key={JSON.stringify([found.service, found.environment])}
              found={found}
              nowMs={nowMs}
              isOut={isOut}
            />
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

function RunningItem({
  found,
  nowMs,
  isOut,
}: {
  readonly found: Found;
  readonly nowMs: number;
  readonly isOut: boolean;
}) {
  const { service, environment, box } = found;
  return (
    <li>
      <Link class="need slow" to={{ slot: { service, environment } }}>
        <span class="unseen">{cellSentence(service, environment, box, nowMs)}</span>
        <span class="need-mark" aria-hidden="true">
          <Mark shape="run" />
        </span>
        <span class="need-name strong" aria-hidden="true">
          <Cut text={service} />
        </span>
        <span class="need-place strong fine" aria-hidden="true">
          <Cut text={environment} />
        </span>
        <span class="need-matter strong cut fine" aria-hidden="true">
          {isOut ? 'unknown' : `running ${ageOf(Date.parse(box.latest.happened_at), nowMs)}`}
        </span>
        <span class="need-version fine" aria-hidden="true">
          <Version text={versionOf(box.named)} />
        </span>
      </Link>
    </li>
  );
}
