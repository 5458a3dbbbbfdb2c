import { useRef, useState } from 'preact/hooks';
import { lookOf } from '../board/box.ts';
import { cellSentence } from '../board/sentence.ts';
import { type Found, mostUrgent } from '../board/shown.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { BoxLines } from './box-lines.tsx';
import '../style/found.css';

export interface FoundListProps {
  readonly kind: 'failed' | 'running';
  readonly found: readonly Found[];
  /** It replaces the board, rather than standing above it. */
  readonly isWhole: boolean;
}

const countAbove = 3;
const countAtOnce = 50;

/** All failed or running slots, where the board cannot show every environment side by side. */
export function FoundList({ kind, found, isWhole }: FoundListProps) {
  const { connection } = useApp();
  const { quiet } = useAddress();
  const [count, setCount] = useState(isWhole || quiet ? countAtOnce : countAbove);
  const order = useStore(connection.ladder);
  const nowMs = useStore(connection.now);
  const list = useRef<HTMLUListElement>(null);
  if (found.length === 0) return null;
  const more = found.length - count;
  const showMore = () => {
    setCount(count + countAtOnce);
    // The button may be gone: the focus goes to the first of the added items.
    requestAnimationFrame(() => list.current?.children[count]?.querySelector('a')?.focus());
  };
  return (
    <section class={isWhole ? 'found-list whole' : 'found-list'} aria-label={`What is ${kind} in every environment`}>
      <h2>
        {found.length} {kind}
      </h2>
      <ul ref={list}>
        {mostUrgent(found, order, count).map((each) => (
          <FoundItem key={JSON.stringify([each.service, each.environment])} found={each} nowMs={nowMs} />
        ))}
      </ul>
      {more > 0 &&
        (quiet ? (
          <p>{more} more</p>
        ) : (
          <button type="button" class="chip" onClick={showMore}>
            {more} more
          </button>
        ))}
    </section>
  );
}

/** Opens the history of the slot. */
function FoundItem({ found, nowMs }: { readonly found: Found; readonly nowMs: number }) {
  const { service, environment, box } = found;
  return (
    <li>
      <Link class={`found ${lookOf(box)}`} to={{ slot: { service, environment } }}>
        <span class="unseen">{cellSentence(service, environment, box, nowMs)}</span>
        <span class="found-where" aria-hidden="true">
          <Cut text={service} /> <Cut text={environment} className="found-environment" />
        </span>
        <span aria-hidden="true">
          <BoxLines box={box} absolute={false} nowMs={nowMs} />
        </span>
      </Link>
    </li>
  );
}
