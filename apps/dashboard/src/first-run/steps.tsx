import type { ComponentChildren } from 'preact';
import { useStore } from '../state/store.ts';
import { useApp, useBoardContext } from '../ui/app.ts';
import { isLoopback } from './commands.ts';
import type { Reports } from './components.ts';
import { Tick } from './doors.tsx';
import '../style/lists.css';

/** What to set up once the log has events. */
export function Steps({ reports }: { readonly reports: Reports }) {
  const { connection, ownership } = useApp();
  const { stages } = useBoardContext();
  const hasTeams = [...useStore(ownership).items.values()].some(({ team }) => team !== null);
  return (
    <ul class="first-list ruled">
      <Step title="Choose production" isDone={stages.production.size > 0} page="docs/settings.md">
        Name the stages and what counts as production, such as{' '}
        <code>ANALYTICS_FUNNEL_ENVIRONMENTS='dev,staging,prod=prod|prod-*'</code>
      </Step>
      <Step title="Add teams" isDone={hasTeams} page="docs/catalog.md">
        Start the service with <code>CATALOG_FILE=catalog.yaml</code>, and the board groups by team
      </Step>
      <Step title="Replace the development key" isDone={!isLoopback(connection.baseUrl)} page="SECURITY.md">
        Set <code>API_KEY</code> before other machines use this service
      </Step>
      <Step title="Send failures to Slack or e-mail" isDone={reports.relay !== undefined} page="docs/relay.md">
        Everything, or only production: <code>RELAY_CONFIG=relay.yaml npm run relay</code>
      </Step>
    </ul>
  );
}

interface StepProps {
  readonly title: string;
  readonly isDone: boolean;
  /** The page of the documentation, in the repository. */
  readonly page: string;
  readonly children: ComponentChildren;
}

function Step({ title, isDone, page, children }: StepProps) {
  return (
    <li class="first-step">
      <span class="row">
        <Tick isDone={isDone} />
        <b>{title}</b>
      </span>
      <span class="small breaks">{children}</span>
      <code class="small nowrap">{page}</code>
    </li>
  );
}
