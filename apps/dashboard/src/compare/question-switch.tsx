import { comparisonOf } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Switches between comparing two environments and two times. */
export function QuestionSwitch() {
  const nowMs = useStore(useApp().connection.now);
  const { earlier } = useAddress().comparison;
  const dayAgo = new Date(Math.floor((nowMs - dayMs) / minuteMs) * minuteMs).toISOString();
  return (
    <nav class="wrap" aria-label="Comparison type">
      <Link class="chip" to={comparisonOf({})} aria-current={earlier === undefined ? 'true' : undefined}>
        Two environments
      </Link>
      <Link
        class="chip"
        to={comparisonOf({ earlier: earlier ?? dayAgo })}
        aria-current={earlier === undefined ? undefined : 'true'}
      >
        Then and now
      </Link>
    </nav>
  );
}
