import type { Status } from '@shiplog/contract';

/** A deployment event as the store implies it, before the limits of ingest are applied. */
export interface ImpliedEvent {
  readonly deploymentId: string;
  readonly service: string;
  readonly environment: string;
  readonly status: Status;
  readonly at: number;
  /** In the tool's time format. */
  readonly instant: string;
  readonly version: string;
  readonly actor: string;
  readonly ref: string;
  readonly sha: string;
  readonly runUrl?: string | undefined;
  readonly runNumber?: string | undefined;
  readonly parents: readonly string[];
}

/** Statuses that count as the same change if their instants are equal (fetcher §5.2). */
const classes: Readonly<Partial<Record<Status, string>>> = { failure: 'ended', cancelled: 'ended', rejected: 'ended' };

/** The first event of a deployment for each class and instant; with `byStatus`, for each class only. */
export function distinct(events: readonly ImpliedEvent[], { byStatus = false } = {}): ImpliedEvent[] {
  const known = new Set<string>();
  return events.filter(({ status, at }) => {
    const key = `${classes[status] ?? status} ${byStatus ? '' : at}`;
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}
