import type { AnalyticsWindow, IncidentsReport } from '@shiplog/contract';
import { inUtc } from '../board/age.ts';
import type { Answer } from '../ui/answer.ts';
import { Link } from '../ui/link.tsx';
import { Mark } from '../ui/mark.tsx';
import { Cut } from '../ui/text.tsx';
import { ChartCard } from './chart-card.tsx';
import { spanText } from './figures.ts';
import { minuteLabel, timeRangeIn } from './span.ts';
import { slotHistory } from './targets.ts';

type Incident = IncidentsReport['incidents'][number];

const severityShapes: Readonly<Record<Incident['severity'], Shape>> = {
  low: 'ring',
  medium: 'dot',
  high: 'cross',
  critical: 'bad',
};

export function IncidentsChart({ answer }: { readonly answer: Answer<IncidentsReport> }) {
  return (
    <ChartCard
      title="Incidents"
      says="From the first failure of a slot in the period to its next success, whenever that was. Open ones first, then the longest; the first ten."
      answer={answer}
      none={({ incidents }) => (incidents.length > 0 ? undefined : 'Nothing failed in this period.')}
      table={({ incidents }) => ({
        head: ['Slot', 'Severity', 'Failed (UTC)', 'Restored (UTC)', 'Duration'],
        rows: incidents.map((incident) => [
          <Link to={slotHistory(incident)}>
            <Cut text={incident.service} /> in <Cut text={incident.environment} />
          </Link>,
          incident.severity,
          minuteLabel(incident.failed_at),
          incident.restored_at === null ? 'open' : minuteLabel(incident.restored_at),
          durationText(incident),
        ]),
      })}
      isWide
    >
      {({ window, incidents }) => (
        <ul class="incidents">
          {incidents.map((incident) => (
            <li key={`${incident.service}\n${incident.environment}\n${incident.failed_at}`}>
              <IncidentRow incident={incident} window={window} />
            </li>
          ))}
        </ul>
      )}
    </ChartCard>
  );
}

function IncidentRow({ incident, window }: { readonly incident: Incident; readonly window: AnalyticsWindow }) {
  const { service, environment, failed_at, restored_at, severity } = incident;
  const { left, width } = timeRangeIn(window, failed_at, restored_at);
  return (
    <Link class={`incident ${severity}`} to={slotHistory(incident)}>
      <span class="severity">
        <Mark shape={severityShapes[severity]} />
        <span>{severity}</span>
      </span>
      <span class="incident-slot">
        <Cut text={service} className="incident-service" />
        <Cut text={environment} className="soft incident-environment" />
      </span>
      <span class="incident-times soft">
        {restored_at === null && 'since '}
        <Minute at={failed_at} />
        {restored_at !== null && ' to '}
        {restored_at !== null && <Minute at={restored_at} />}
      </span>
      <b class="incident-duration">{durationText(incident)}</b>
      <span class="incident-track">
        <span class="incident-range" style={{ left: `${left * 100}%`, width: `max(4px, ${width * 100}%)` }} />
      </span>
    </Link>
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
