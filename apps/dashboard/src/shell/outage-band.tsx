import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { imported } from '../state/imported.ts';
import { useStore } from '../state/store.ts';
import { useApp, usePast } from '../ui/app.ts';
import { Later } from '../ui/later.tsx';

const loadSessionEnded = async () => (await imported(() => import('./session-ended-band.tsx'))).SessionEndedBand;

/** A banner while the service is not responding or the session has ended: the page below may be out of date. */
export function OutageBand() {
  const { connection, outage } = useApp();
  const isPast = usePast() !== undefined;
  const since = useStore(outage);
  const { link, asOf, reason } = useStore(connection.link);
  if (since === undefined) return null;
  if (link === 'ended') return <Later name="session-ended" load={loadSessionEnded} meanwhile="" />;
  const what = isPast
    ? 'The past board below is not affected.'
    : asOf === 0
      ? ''
      : 'The page below is from then and may be out of date.';
  return (
    <section class="outage-band band row" aria-label="Disconnected">
      <Mark shape="cross" />
      <p role="alert">
        <strong>Disconnected since {new Date(since).toLocaleTimeString('en-GB')}, retrying</strong>
        <span>{what}</span>
        {reason && <span>Last error: {reason}.</span>}
      </p>
    </section>
  );
}
