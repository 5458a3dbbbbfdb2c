import type { DeploymentEvent, Status } from '@shiplog/contract';
import { grouped } from '../board/grouped.ts';

export interface Group {
  readonly deployment: string;
  /** Without duplicates, newest first. A reporter may use one deployment id for several services. */
  readonly services: readonly string[];
  readonly environments: readonly string[];
  readonly latest: DeploymentEvent;
  readonly status: Status;
  /** The group shows the version of this event: the newest one with a version, or the newest. */
  readonly named: DeploymentEvent;
  readonly first: string;
  readonly last: string;
  readonly spanMs: number;
  /** Newest first. */
  readonly events: readonly DeploymentEvent[];
}

/** Groups events (newest first) by deployment. The group with the newest event is first. */
export function groupsOf(events: readonly DeploymentEvent[]): Group[] {
  return [...grouped(events, ({ deployment_id }) => deployment_id)].map(groupOf);
}

function groupOf([deployment, events]: readonly [string, readonly DeploymentEvent[]]): Group {
  const latest = events[0] as DeploymentEvent;
  const first = (events.at(-1) ?? latest).happened_at;
  const last = latest.happened_at;
  return {
    deployment,
    services: [...new Set(events.map(({ service }) => service))],
    environments: [...new Set(events.map(({ environment }) => environment))],
    latest,
    status: latest.status,
    named: events.find(({ version }) => version) ?? latest,
    first,
    last,
    spanMs: Date.parse(last) - Date.parse(first),
    events,
  };
}

const units = [
  { ms: 86_400_000, name: 'd' },
  { ms: 3_600_000, name: 'h' },
  { ms: 60_000, name: 'min' },
  { ms: 1000, name: 's' },
] as const;

/** A duration in one or two units: "12 min 5 s", "1 h 20 min"; below a second in milliseconds. */
export function durationOf(ms: number): string {
  const at = units.findIndex((unit) => ms >= unit.ms);
  const [unit, below] = at < 0 ? [] : units.slice(at, at + 2);
  if (!unit) return `${Math.max(0, Math.round(ms))} ms`;
  const remaining = below ? Math.floor((ms % unit.ms) / below.ms) : 0;
  const whole = `${Math.floor(ms / unit.ms)} ${unit.name}`;
  return below && remaining > 0 ? `${whole} ${remaining} ${below.name}` : whole;
}
