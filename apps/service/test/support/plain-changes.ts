import { type Change, type DeploymentEvent, type NetChange, statuses } from '@shiplog/contract';
import { micros, newestFirst } from '@shiplog/testing';
import { groups, type Rows } from './plain-analytics.ts';
import { plainSuccesses } from './plain-stability.ts';

interface PlainRange {
  readonly from: string;
  readonly to: string;
  readonly includes?: (row: DeploymentEvent) => boolean;
}

const always = { days: 1, from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' };
const endStates = ['success', 'failure', 'cancelled', 'rejected'];
const at = (instant: string) => micros({ happened_at: instant });
const slotOf = ({ service, environment }: DeploymentEvent) => JSON.stringify([service, environment]);
const releaseOf = ({ version, sha, id }: DeploymentEvent) => ({
  version: version || null,
  sha: sha || null,
  event_id: id,
});

export interface PlainChange {
  readonly item: Change;
  readonly last: DeploymentEvent;
}

/** Every change that overlaps the range, newest first (changes.md 1), from all rows of the log. */
export function plainChanges(rows: Rows, { from, to, includes = () => true }: PlainRange): PlainChange[] {
  const rollbacks = new Set(plainSuccesses(rows, always).flatMap(({ row, rollback }) => (rollback ? [row.id] : [])));
  const changes = groups(rows, (row) => JSON.stringify([row.deployment_id, row.service, row.environment])).map(
    newestFirst,
  );
  return newestFirst(changes.flatMap(([last]) => last ?? []))
    .flatMap((last) => changes.filter(([latest]) => latest === last))
    .flatMap((own) => {
      const [last, first] = [own[0], own.at(-1)];
      if (!last || !first || !includes(last) || micros(first) >= at(to) || micros(last) < at(from)) return [];
      const isOver = endStates.includes(last.status);
      const own1 = <Name extends 'version' | 'sha' | 'actor' | 'run_url'>(name: Name) =>
        own.find((row) => row[name])?.[name] ?? null;
      const isBefore = (row: DeploymentEvent) =>
        micros(row) < micros(first) || (micros(row) === micros(first) && row.id < first.id);
      const previous = newestFirst(rows).find(
        (row) => slotOf(row) === slotOf(first) && row.status === 'success' && isBefore(row),
      );
      const item: Change = {
        deployment_id: last.deployment_id,
        service: last.service,
        environment: last.environment,
        state: last.status,
        version: own1('version'),
        sha: own1('sha'),
        previous: previous ? releaseOf(previous) : null,
        rollback: own.some(({ id }) => rollbacks.has(id)),
        actor: own1('actor'),
        run_url: own1('run_url'),
        started_at: first.happened_at,
        ended_at: isOver ? last.happened_at : null,
        minutes: isOver && own.length > 1 ? Number(micros(last) - micros(first)) / 60_000_000 : null,
        events: own.length,
        event_id: last.id,
      };
      return [{ item, last }];
    });
}

export function plainCounts(rows: Rows, range: PlainRange) {
  const inside = plainChanges(rows, range);
  const all = plainChanges(rows, { ...range, includes: () => true });
  return {
    changes: inside.length,
    services: new Set(inside.map(({ item }) => item.service)).size,
    by_state: Object.fromEntries(
      statuses.map((status) => [status, inside.filter(({ item }) => item.state === status).length]),
    ),
    elsewhere: all.length - inside.length,
  };
}

/** What the range changed in each place, those that changed first (changes.md 1.5). */
export function plainNet(rows: Rows, range: PlainRange): NetChange[] {
  const changes = plainChanges(rows, range);
  const places = [...new Set(changes.map(({ last }) => slotOf(last)))].sort().map((place): NetChange => {
    const own = changes.filter(({ last }) => slotOf(last) === place);
    const lastBefore = (instant: string) =>
      newestFirst(rows).find((row) => slotOf(row) === place && row.status === 'success' && micros(row) < at(instant));
    const [before, after] = [lastBefore(range.from), lastBefore(range.to)];
    const [service = '', environment = ''] = JSON.parse(place) as string[];
    return {
      service,
      environment,
      before: before ? releaseOf(before) : null,
      after: after ? releaseOf(after) : null,
      changed: isChanged(before, after),
      changes: own.length,
      failed: own.filter(({ item }) => item.state === 'failure').length,
    };
  });
  return [...places.filter(({ changed }) => changed), ...places.filter(({ changed }) => !changed)];
}

function isChanged(before: DeploymentEvent | undefined, after: DeploymentEvent | undefined): boolean {
  if (!before || !after) return before !== after;
  const [one, other] = [nameOf(before), nameOf(after)];
  return one && other ? one !== other : before.deployment_id !== after.deployment_id;
}

function nameOf({ version, sha }: DeploymentEvent): string | undefined {
  if (version) return `version ${version}`;
  return sha ? `sha ${sha}` : undefined;
}

/** The number of changes with their last row in each half-open part, by state. */
export function plainBuckets(rows: Rows, boundaries: readonly string[], includes: PlainRange['includes'] = () => true) {
  const changes = plainChanges(rows, { ...always, includes });
  return boundaries.slice(1).map((to, part) => {
    const from = boundaries[part] ?? '';
    const own = changes.filter(({ last }) => micros(last) >= at(from) && micros(last) < at(to));
    return statuses.map((status) => own.filter(({ item }) => item.state === status).length);
  });
}
