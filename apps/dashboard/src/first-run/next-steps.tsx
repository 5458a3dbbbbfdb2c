import { useApp } from '../ui/app.ts';
import { useReports } from './components.ts';
import { Doors } from './doors.tsx';
import { Steps } from './steps.tsx';

/** Shown above the board after the first event, until the viewer closes it. */
export function NextSteps() {
  const { preferences } = useApp();
  const reports = useReports();
  return (
    <section class="next-steps card panel" aria-labelledby="next-steps">
      <h2 id="next-steps" class="row apart">
        <span>
          What to do next <span class="small">these steps stay in the settings menu</span>
        </span>
        <button type="button" class="chip" onClick={() => preferences.prefer({ firstSteps: false })}>
          Close
        </button>
      </h2>
      <Steps reports={reports} />
      <details>
        <summary class="small">More ways to get events</summary>
        <Doors reports={reports} />
      </details>
    </section>
  );
}
