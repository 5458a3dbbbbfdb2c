import { useEffect } from 'preact/hooks';
import { useApp, usePast } from '../ui/app.ts';
import { useReports } from './components.ts';
import { Doors } from './doors.tsx';
import { Steps } from './steps.tsx';

/** Shown for an empty log. When the first event arrives, the board replaces it and shows `NextSteps`. */
export function FirstSteps() {
  const { preferences } = useApp();
  const reports = useReports();
  const isPast = usePast() !== undefined;
  useEffect(() => {
    if (!isPast) preferences.prefer({ firstSteps: true });
  }, [preferences, isPast]);
  return (
    <div class="first-run stack gap-16">
      <div>
        <h2 class="headline">No deployments yet</h2>
        <p class="soft">Start with any of these three. Each one gets a tick as soon as it works; no reload needed.</p>
      </div>
      <Doors reports={reports} />
      <section class="card panel" aria-labelledby="first-after">
        <h2 id="first-after">
          After the first event <span class="small">the board opens, and these steps stay in the settings menu</span>
        </h2>
        <Steps reports={reports} />
      </section>
      <p class="small">
        <a href="docs">How the API works</a>
      </p>
    </div>
  );
}
