import { type DeploymentEvent, limits, type ReleaseDetail } from '@shiplog/contract';
import { durationOf } from '../log/groups.ts';
import { OuterLink } from '../log/outer-link.tsx';
import { DayTime } from '../ui/day-time.tsx';
import { Link } from '../ui/link.tsx';
import { StatusLabel } from '../ui/status.tsx';
import { Cut } from '../ui/text.tsx';
import { durationMs } from './duration.ts';

export function Happened({ detail: { events } }: { readonly detail: ReleaseDetail }) {
  const isCut = events.length >= limits.releaseEventsMax;
  return (
    <section class="card panel" aria-labelledby="happened">
      <h2 id="happened">
        Events{' '}
        <span class="small">
          {isCut ? `the newest ${events.length}` : events.length}, newest first, times in your zone
        </span>
      </h2>
      <table class="list">
        <thead>
          <tr>
            <th>When</th>
            <th>What</th>
            <th>Where</th>
            <th>Who</th>
            <th>Took</th>
            <th>Run</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <Row key={event.id} event={event} took={durationMs(event, events)} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ event, took }: { readonly event: DeploymentEvent; readonly took: number | undefined }) {
  const { service, environment, actor, run_number, run_url, status, happened_at } = event;
  return (
    <tr>
      <td>
        <DayTime at={happened_at} />
      </td>
      <td>
        <StatusLabel status={status} />
      </td>
      <td>
        <Link to={{ slot: { service, environment } }}>
          <Cut text={environment} />
        </Link>
      </td>
      <td class="small">
        <Cut text={actor ?? ''} />
      </td>
      <td class="small">{took === undefined || took < 0 ? '–' : durationOf(took)}</td>
      <td>
        {(run_url || run_number) && (
          <OuterLink url={run_url} label={run_number ? `Run ${run_number} in ${environment}` : `Run in ${environment}`}>
            <Cut text={run_number ? `Run ${run_number}` : 'Run'} />
          </OuterLink>
        )}
      </td>
    </tr>
  );
}
