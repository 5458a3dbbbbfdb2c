import type { Change, DeployedRelease, DeploymentEvent, NetChange, Status } from '@shiplog/contract';
import { distinct, micros } from '@shiplog/testing';
import { byState } from './changes.ts';

/** A range in microseconds since 1970. */
interface Range {
  readonly from: bigint;
  readonly to: bigint;
}

type Rows = readonly DeploymentEvent[];
type Last = { readonly last: DeploymentEvent };
type InScope = (place: Pick<DeploymentEvent, 'service' | 'environment'>) => boolean;

const ending: readonly Status[] = ['success', 'failure', 'cancelled', 'rejected'];

/** changes.md as a simple reduction of all rows of a log, without any index. The log must have no rows in the near future. */
export class PlainChanges {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows.toSorted(oldestFirst);
  }

  /** The changes in a range and scope, newest first. A change is in `ahead` if its last row is after now. */
  read(range: Range, inScope: InScope, states: readonly Status[] = []) {
    const all = this.#changesOf(range);
    const found = all.filter((rows) => inScope(rows[0] as DeploymentEvent));
    const items = found.map((rows) => ({ last: lastOf(rows), change: this.#changeOf(rows) }));
    const listed = items
      .filter(({ change }) => states.length === 0 || states.includes(change.state))
      .toSorted((one, other) => oldestFirst(other.last, one.last));
    const isAhead = ({ last }: Last) => micros(last) > BigInt(Date.now()) * 1000n;
    return {
      counts: {
        changes: found.length,
        services: distinct(items.map(({ change }) => change.service)).length,
        by_state: tally(items.map(({ change }) => change.state)),
        elsewhere: all.length - found.length,
      },
      ahead: listed.filter(isAhead).map(({ change }) => change),
      items: listed.filter((item) => !isAhead(item)).map(({ change }) => change),
    };
  }

  net(range: Range, inScope: InScope): NetChange[] {
    const found = this.#changesOf(range).filter((rows) => inScope(rows[0] as DeploymentEvent));
    const items = grouped(found, (rows) => placeOf(rows[0] as DeploymentEvent)).map((changes) => {
      const [{ service, environment }] = changes[0] as [DeploymentEvent];
      const successes = this.#successesOf(placeOf({ service, environment }));
      const [before, after] = [range.from, range.to].map((at) => successes.findLast((row) => micros(row) < at));
      return {
        service,
        environment,
        before: releaseOf(before),
        after: releaseOf(after),
        changed: differ(before, after),
        changes: changes.length,
        failed: changes.filter((rows) => lastOf(rows).status === 'failure').length,
      };
    });
    return items.toSorted(
      (one, other) =>
        Number(other.changed) - Number(one.changed) ||
        byCodePoint(one.service, other.service) ||
        byCodePoint(one.environment, other.environment),
    );
  }

  histogram(range: Range, inScope: InScope, buckets: number) {
    const lasts = this.#changesOf(range)
      .map(lastOf)
      .filter((row) => inScope(row));
    const boundary = (index: number) => range.from + (BigInt(index) * (range.to - range.from)) / BigInt(buckets);
    return Array.from({ length: buckets }, (_, index) => {
      const [from, to] = [boundary(index), boundary(index + 1)];
      const inside = lasts.filter((row) => micros(row) >= from && micros(row) < to);
      return { from, to, by_state: tally(inside.map(({ status }) => status)) };
    });
  }

  #changesOf({ from, to }: Range): Rows[] {
    const keyOf = (row: DeploymentEvent) => JSON.stringify([row.deployment_id, placeOf(row)]);
    return grouped(this.#rows, keyOf).filter(
      (rows) => micros(rows[0] as DeploymentEvent) < to && micros(lastOf(rows)) >= from,
    );
  }

  #successesOf(place: string): Rows {
    return this.#rows.filter((row) => row.status === 'success' && placeOf(row) === place);
  }

  #changeOf(rows: Rows): Change {
    const first = rows[0] as DeploymentEvent;
    const last = lastOf(rows);
    const newest = (name: 'version' | 'sha' | 'actor' | 'run_url') => rows.findLast((row) => row[name])?.[name] ?? null;
    const successes = this.#successesOf(placeOf(first));
    const ended = ending.includes(last.status);
    return {
      deployment_id: first.deployment_id,
      service: first.service,
      environment: first.environment,
      state: last.status,
      version: newest('version'),
      sha: newest('sha'),
      previous: releaseOf(successes.findLast((row) => oldestFirst(row, first) < 0)),
      rollback: rows.some((row) => row.status === 'success' && isRollback(row, successes)),
      actor: newest('actor'),
      run_url: newest('run_url'),
      started_at: first.happened_at,
      ended_at: ended ? last.happened_at : null,
      minutes: ended && rows.length > 1 ? Number(micros(last) - micros(first)) / 60_000_000 : null,
      events: rows.length,
      event_id: last.id,
    };
  }
}

/** questions.md 6 and 12.6: successes without a release are skipped. */
function isRollback(row: DeploymentEvent, successes: Rows): boolean {
  const own = nameOf(row);
  const earlier = successes.filter((each) => oldestFirst(each, row) < 0 && nameOf(each) !== undefined).map(nameOf);
  return own !== undefined && earlier.length > 0 && earlier.at(-1) !== own && earlier.includes(own);
}

function differ(before: DeploymentEvent | undefined, after: DeploymentEvent | undefined): boolean {
  if (!before || !after) return before !== after;
  const [one, other] = [nameOf(before), nameOf(after)];
  if (one === undefined || other === undefined) return before.deployment_id !== after.deployment_id;
  return one !== other;
}

/** A string for each release; a version never equals a sha (questions.md 12.1). */
function nameOf({ version, sha }: DeploymentEvent): string | undefined {
  if (version) return `version ${version}`;
  return sha ? `sha ${sha}` : undefined;
}

function releaseOf(row: DeploymentEvent | undefined): DeployedRelease | null {
  return row ? { version: row.version || null, sha: row.sha || null, event_id: row.id } : null;
}

function placeOf({ service, environment }: Pick<DeploymentEvent, 'service' | 'environment'>): string {
  return JSON.stringify([service, environment]);
}

function lastOf(rows: Rows): DeploymentEvent {
  return rows.at(-1) as DeploymentEvent;
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}

function tally(states: readonly Status[]): Record<Status, number> {
  const counts = byState();
  for (const state of states) counts[state] += 1;
  return counts;
}

function oldestFirst(one: DeploymentEvent, other: DeploymentEvent): number {
  const apart = micros(one) - micros(other);
  return apart === 0n ? byCodePoint(one.id, other.id) : apart > 0n ? 1 : -1;
}

function byCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
