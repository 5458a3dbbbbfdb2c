import type { AnalyticsWindow, IncidentsReport } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { inUtc } from '../board/age.ts';
import { Cut } from '../ui/text.tsx';
import type { Chart } from './chart-card.tsx';
import { FigureButton } from './figure-button.tsx';
import { spanText } from './figures.ts';
import { RowsLink, slotCells } from './rows-link.tsx';
import { minuteLabel, timeRangeIn } from './span.ts';
import { cell } from './table.tsx';
import { slotHistory } from './targets.ts';

type Incident = IncidentsReport['incidents'][number];

const severityShapes: Readonly<Record<Severity, Shape>> = {
  'not production': 'dash',
  low: 'ring',
  medium: 'dot',
  high: 'cross',
  critical: 'bad',
};

/** The table shows every incident in the response. */
const drawnMax = 10;

export const incidentsChart: Chart<IncidentsReport> = {
  title: 'Incidents',
  says: 'From the first failure of a service in an environment to its next success. Open incidents come first, then the longest. The chart shows ten, the table 100; the link opens all.',
  none: ({ incidents }) => (incidents.length > 0 ? undefined : 'Nothing failed in this period.'),
  table: ({ incidents }, { production }) => ({
    head: ['Service', 'Environment', 'Severity', 'Failed (UTC)', 'Restored (UTC)', 'Minutes'],
    rows: incidents.map((incident) => [
      ...slotCells(incident),
      severityIn(incident, production),
      cell(incident.failed_at, minuteLabel(incident.failed_at)),
      cell(incident.restored_at, incident.restored_at === null ? 'open' : minuteLabel(incident.restored_at)),
      cell(incident.duration_minutes, durationText(incident)),
    ]),
  }),
  room: 'wide',
  draw: ({ window, incidents }, { production }) => (
    <>
      <p class="wrap fine totals">
        <FigureButton figure="incidents">All incidents and their failures</FigureButton>
      </p>
      <ul class="incidents ruled">
        {incidents.slice(0, drawnMax).map((incident) => (
          <li key={`${incident.service}\n${incident.environment}\n${incident.failed_at}`}>
            <IncidentRow incident={incident} window={window} production={production} />
          </li>
        ))}
      </ul>
    </>
  ),
};

interface RowProps {
  readonly incident: Incident;
  readonly window: AnalyticsWindow;
  readonly production: string;
}

function IncidentRow({ incident, window, production }: RowProps) {
  const { service, environment, failed_at, restored_at } = incident;
  const severity = severityIn(incident, production);
  const { left, width } = timeRangeIn(window, failed_at, restored_at);
  return (
    <RowsLink class={`incident ${severity.replace(' ', '-')}`} to={slotHistory(incident)}>
      <span class="severity gap-4 row">
        <Mark shape={severityShapes[severity]} />
        <span>{severity}</span>
      </span>
      <span class="shrink gap-8">
        <Cut text={service} className="incident-service strong" />
        <Cut text={environment} className="soft firm incident-environment" />
      </span>
      <span class="incident-times right nowrap soft">
        {restored_at === null && 'since '}
        <Minute at={failed_at} />
        {restored_at !== null && ' to '}
        {restored_at !== null && <Minute at={restored_at} />}
      </span>
      <span class="right">{durationText(incident)}</span>
      <span class="incident-track">
        <span class="incident-range" style={{ left: `${left * 100}%`, width: `max(4px, ${width * 100}%)` }} />
      </span>
    </RowsLink>
  );
}

function Minute({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={inUtc(at)}>
      {minuteLabel(at)}
    </time>
  );
}

function durationText({ duration_minutes }: Incident): string {
  return duration_minutes === null ? 'open' : spanText(duration_minutes);
}

type Severity = Incident['severity'] | 'not production';

/** Incidents outside production have no severity, because they affect no users. */
export function severityIn({ environment, severity }: Incident, production: string): Severity {
  return environment.toLowerCase() === production.toLowerCase() ? severity : 'not production';
}
