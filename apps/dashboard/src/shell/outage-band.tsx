import { longAgeOf } from '@shiplog/text';
import { clockTime } from '../board/age.ts';
import { useStore } from '../state/store.ts';
import { useApp, usePast } from '../ui/app.ts';
import { Mark } from '../ui/mark.tsx';

/** Across the page while the service does not answer: what is below it may be outdated. */
export function OutageBand() {
  const { connection, outage } = useApp();
  const isPast = usePast() !== undefined;
  const since = useStore(outage);
  const { asOf, reason } = useStore(connection.link);
  // The service's clock only says when to draw again. How long the outage lasts is by this machine's clock.
  useStore(connection.now.present);
  if (since === undefined) return null;
  const span = longAgeOf(since, Date.now()).replace(/ ago$/, '');
  const what = isPast
    ? 'The past board below stays as it was read.'
    : asOf === 0
      ? ''
      : `What stands below is from ${clockTime(asOf, Date.now())} and may be wrong by now.`;
  return (
    <section class="outage-band" aria-label="No answer">
      <Mark shape="cross" />
      <p>
        <strong>No answer from Shiplog for {span}</strong>
        <span>{what}</span>
        <span>It is asked again every few seconds{reason ? `; the last time: ${reason}` : ''}.</span>
      </p>
      {/* Said once; the age goes on. */}
      <p class="unseen" role="alert">
        Shiplog does not answer. {what}
      </p>
    </section>
  );
}
