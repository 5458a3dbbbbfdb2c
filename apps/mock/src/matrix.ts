import { byCodePoint, effectiveStatuses } from '@shiplog/contract';
import type { DeploymentRow } from './deployment-log.ts';
import { byLadder, sortedDistinct } from './name-order.ts';

export interface MatrixSnapshot {
  /** JSON text of the `environments` array. */
  readonly environmentsJson: string;
  /** JSON text of the `rows` array. */
  readonly rowsJson: string;
}

/** The rows of a service by environment, newest first. */
type RowsByEnvironment = Map<string, DeploymentRow[]>;

/**
 * The matrix of the given rows, newest first. JSON text is joined by hand, because an object would reorder environments
 * whose names are numbers.
 */
export function matrixOf(rows: readonly DeploymentRow[]): MatrixSnapshot {
  const services = new Map<string, RowsByEnvironment>();
  for (const row of rows) {
    const byEnvironment = entry(services, row.service, () => new Map());
    entry(byEnvironment, row.environment, () => []).push(row);
  }
  const environments = [...services.values()].flatMap((byEnvironment) =>
    [...byEnvironment.keys()].filter((name) => byEnvironment.get(name)?.some(isEffective)),
  );
  const rowsJson = [...services]
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([service, byEnvironment]) => rowJson(service, byEnvironment));
  return {
    environmentsJson: JSON.stringify(sortedDistinct(environments, byLadder)),
    rowsJson: `[${rowsJson.join(',')}]`,
  };
}

/** An environment with an effective row has a slot; any other is upcoming, with its latest row (reading 4.1). */
function rowJson(service: string, byEnvironment: RowsByEnvironment): string {
  const slots: string[] = [];
  const upcoming: string[] = [];
  for (const [environment, rows] of [...byEnvironment].sort(([a], [b]) => byLadder(a, b))) {
    const effective = rows.filter(isEffective);
    const name = JSON.stringify(environment);
    if (effective.length > 0) slots.push(`${name}:${slotJson(effective)}`);
    else upcoming.push(`${name}:${rows[0]?.json}`);
  }
  const waiting = upcoming.length > 0 ? `,"upcoming":{${upcoming.join(',')}}` : '';
  return `{"service":${JSON.stringify(service)},"slots":{${slots.join(',')}}${waiting}}`;
}

/** Unlike in the core, any failure since the last success sets `prev_failed` (companion services §4). */
function slotJson(rows: readonly DeploymentRow[]): string {
  const successAt = rows.findIndex(({ status }) => status === 'success');
  const sinceSuccess = rows.slice(1, successAt < 0 ? undefined : successAt);
  const members = [`"current":${rows[0]?.json}`];
  if (successAt > 0) members.push(`"last_successful":${rows[successAt]?.json}`);
  if (sinceSuccess.some(({ status }) => status === 'failure')) members.push('"prev_failed":true');
  return `{${members.join(',')}}`;
}

function isEffective({ status }: DeploymentRow): boolean {
  return effectiveStatuses.some((effective) => effective === status);
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
