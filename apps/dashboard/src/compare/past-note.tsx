import { longAgeOf } from '@shiplog/text';
import { inUtc } from '../board/age.ts';
import { dayTime } from '../board/day-time.ts';
import { Link } from '../ui/link.tsx';

export function PastNote({ at, nowMs }: { readonly at: string; readonly nowMs: number }) {
  const ms = Date.parse(at);
  return (
    <section class="compare-past band apart wrap" aria-label="Past comparison">
      <p role="status">
        <strong title={inUtc(at)}>As of {dayTime(ms, nowMs)}</strong>, {longAgeOf(ms, nowMs)}. Events that arrive late
        may change it.
      </p>
      <Link class="strong" to={{ asof: undefined }}>
        Back to now
      </Link>
    </section>
  );
}
