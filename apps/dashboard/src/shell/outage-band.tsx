import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { longAgeOf } from '@shiplog/text';
import { clockTime } from '../board/age.ts';
import { useStore } from '../state/store.ts';
import { useApp, usePast } from '../ui/app.ts';

/** A banner while the service does not answer: the page below may be out of date. */
export function OutageBand() {
  const { connection, outage } = useApp();
  const isPast = usePast() !== undefined;
  const since = useStore(outage);
  const { asOf, reason } = useStore(connection.link);
  // The service's clock only triggers the redraw; the duration is measured by this machine's clock.
  useStore(connection.now.present);
  if (since === undefined) return null;
  const span = longAgeOf(since, Date.now()).replace(/ ago$/, '');
  const what = isPast
    ? 'The past board below is not affected.'
    : asOf === 0
      ? ''
      : `The board below is from ${clockTime(asOf, Date.now())} and may be out of date.`;
  return (
    <section class="outage-band band row" aria-label="No answer">
      <Mark shape="cross" />
      <p>
        <strong class="title">No answer from Shiplog for {span}</strong>
        <span>{what}</span>
        <span>Retrying every few seconds{reason ? `; last error: ${reason}` : ''}.</span>
      </p>
      {/* Announced only once, although the age above keeps changing. */}
      <p class="unseen" role="alert">
        Shiplog is not reachable. {what}
      </p>
    </section>
  );
}
