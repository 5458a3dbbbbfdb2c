import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { useStore } from '../state/store.ts';
import { useApp } from '../ui/app.ts';

/** The reader's session has ended: the page below stays readable, and is no longer live (access.md 5.6). */
export function SessionEndedBand() {
  const { connection, outage } = useApp();
  const since = useStore(outage) ?? 0;
  const { asOf } = useStore(connection.link);
  return (
    <section class="outage-band band row" aria-label="Session ended">
      <Mark shape="cross" />
      <p role="alert">
        <strong>Your session ended at {new Date(since).toLocaleTimeString('en-GB')}</strong>
        {asOf > 0 && <span>The page below is from then and no longer live.</span>}
      </p>
      <button type="button" class="chip" onClick={() => location.reload()}>
        Sign in again
      </button>
    </section>
  );
}
