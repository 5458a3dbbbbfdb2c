import { type Breach, type DeploymentEvent, limits, type ReleaseDetail } from '@shiplog/contract';
import { byTime, msOf } from '../board/board.ts';
import { isToStart } from '../board/box.ts';
import { BreachMark, breachAt, useBreachesOfEvents } from '../log/breaches.tsx';
import { OuterLink } from '../log/outer-link.tsx';
import { spanText } from '../time-travel/time-words.ts';
import { DayTime } from '../ui/day-time.tsx';
import { Link } from '../ui/link.tsx';
import { StatusLabel } from '../ui/status.tsx';
import { Cut } from '../ui/text.tsx';

export function Happened({ detail: { events } }: { readonly detail: ReleaseDetail }) {
  const breachOf = useBreachesOfEvents(events);
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
            <Row key={event.id} event={event} took={durationMs(event, events)} breach={breachAt(event, breachOf)} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface RowProps {
  readonly event: DeploymentEvent;
  readonly took: number | undefined;
  readonly breach: Breach | undefined;
}

function Row({ event, took, breach }: RowProps) {
  const { service, environment, actor, run_number, run_url, status, happened_at } = event;
  const run = run_number ? `Run ${run_number}` : 'Run';
  return (
    <tr>
      <td>
        <DayTime at={happened_at} />
      </td>
      <td>
        <StatusLabel status={status} /> <BreachMark breach={breach} />
      </td>
      <td>
        <Link to={{ slot: { service, environment } }}>
          <Cut text={environment} />
        </Link>
      </td>
      <td class="small">
        <Cut text={actor ?? ''} />
      </td>
      <td class="small">{took === undefined || took < 0 ? '–' : spanText(took)}</td>
      <td>
        {(run_url || run_number) && (
          <OuterLink url={run_url} label={`${run} in ${environment}`}>
            <Cut text={run} />
          </OuterLink>
        )}
      </td>
    </tr>
  );
}

/**
 * How long a finished deployment ran, or how long an event waited for the next one, in milliseconds; `undefined` if
 * unknown. `events` are all rows of the release, newest first.
 */
export function durationMs(event: DeploymentEvent, events: readonly DeploymentEvent[]): number | undefined {
  const same = events
    .filter((other) => other.deployment_id === event.deployment_id && other.environment === event.environment)
    .sort(byTime);
  const at = same.findIndex(({ id }) => id === event.id);
  if (event.status === 'in-progress') return undefined;
  if (isToStart(event)) return between(event, same[at + 1]);
  const before = same.slice(0, at);
  return between(before.findLast(({ status }) => status === 'in-progress') ?? before[0], event);
}

function between(from: DeploymentEvent | undefined, to: DeploymentEvent | undefined): number | undefined {
  return from && to ? msOf(to) - msOf(from) : undefined;
}
