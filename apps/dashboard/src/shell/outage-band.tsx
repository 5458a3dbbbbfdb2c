import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { useStore } from '../state/store.ts';
import { useApp, usePast } from '../ui/app.ts';

/**
 * A banner while the service is not responding or after the reader's session has ended (access.md 5.6). The page below
 * stays readable but is no longer live.
 */
export function OutageBand() {
  const { connection, outage } = useApp();
  const isPast = usePast() !== undefined;
  const since = useStore(outage);
  const { link, asOf, reason } = useStore(connection.link);
  if (since === undefined) return null;
  const time = new Date(since).toLocaleTimeString('en-GB');
  const isEnded = link === 'ended';
  const below =
    isPast && !isEnded
      ? 'The past board below is not affected.'
      : asOf > 0 && `The page below is from then and ${isEnded ? 'no longer live' : 'may be out of date'}.`;
  return (
    <section class="outage-band band row" aria-label={isEnded ? 'Session ended' : 'Disconnected'}>
      <Mark shape="cross" />
      <p role="alert">
        <strong>{isEnded ? `Your session ended at ${time}` : `Disconnected since ${time}, retrying`}</strong>
        {below && <span>{below}</span>}
        {reason && <span>Last error: {reason}.</span>}
      </p>
      {isEnded && (
        <button type="button" class="chip" onClick={() => location.reload()}>
          Sign in again
        </button>
      )}
    </section>
  );
}
