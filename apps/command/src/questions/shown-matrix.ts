import type { DeploymentEvent, Matrix, MatrixSlot } from '@shiplog/contract';
import { ageOf, releaseName } from '@shiplog/text';
import type { Listing } from './listing.ts';

export interface MatrixFilter {
  readonly isService: (name: string) => boolean;
  readonly isEnvironment: (name: string) => boolean;
  /** Only slots that failed, or are running after a failure. */
  readonly isFailedOnly: boolean;
}

type Slots = Readonly<Record<string, MatrixSlot>>;
type MatrixRow = Matrix['rows'][number];

/** The filtered matrix. Omits services without a remaining slot. */
export function shownMatrix(matrix: Matrix, filter: MatrixFilter): Matrix {
  const rows = matrix.rows
    .filter(({ service }) => filter.isService(service))
    .map((row) => shownRow(row, filter))
    .filter(({ slots, upcoming }) => Object.keys(slots).length > 0 || upcoming !== undefined);
  const named = new Set(rows.flatMap(({ slots }) => Object.keys(slots)));
  return { ...matrix, environments: matrix.environments.filter((name) => named.has(name)), rows };
}

function shownRow(row: MatrixRow, { isEnvironment, isFailedOnly }: MatrixFilter): MatrixRow {
  const isShown = ({ current, prev_failed }: MatrixSlot) =>
    !isFailedOnly || current.status === 'failure' || prev_failed === true;
  const { upcoming = {}, ...members } = row;
  const waiting = isFailedOnly ? {} : entriesOf(upcoming, isEnvironment);
  const slots: Slots = entriesOf(row.slots, (environment, slot) => isEnvironment(environment) && isShown(slot));
  return { ...members, slots, ...(Object.keys(waiting).length > 0 && { upcoming: waiting }) };
}

function entriesOf<Value>(record: Readonly<Record<string, Value>>, isShown: (name: string, value: Value) => boolean) {
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => isShown(name, value)));
}

/** The matrix for a terminal: services by environments. */
export function matrixTable(matrix: Matrix, now: Date): Listing {
  const upcoming = matrix.rows.flatMap((row) => Object.keys(row.upcoming ?? {}));
  const environments = [...new Set([...matrix.environments, ...upcoming])];
  return {
    head: ['service', ...environments],
    rows: matrix.rows.map((row) => [row.service, ...environments.map((name) => cellOf(row, name, now))]),
    styleOf: (text, column) => {
      if (column === 0) return undefined;
      if (text.startsWith('✔')) return 'green';
      return text.startsWith('✘') ? 'red' : 'blue';
    },
  };
}

const marks: Readonly<Record<string, string>> = { success: '✔', failure: '✘', 'in-progress': '▶' };

function cellOf(row: MatrixRow, environment: string, now: Date): string[] {
  const words = (event: DeploymentEvent) => {
    const age = ageOf(Date.parse(event.happened_at), now.getTime());
    return `${marks[event.status] ?? event.status} ${releaseName(event)} ${age}`;
  };
  const slot = row.slots[environment];
  const waiting = slot ? slot.next : row.upcoming?.[environment];
  const lines = [slot?.current, slot?.last_successful, waiting].flatMap((event) => (event ? [words(event)] : []));
  return slot?.prev_failed ? [...lines, '(failed before)'] : lines;
}

/** The matrix for other programs: one line per slot. */
export function matrixLines(matrix: Matrix): string[][] {
  return matrix.rows.flatMap(({ service, slots, upcoming = {} }) => [
    ...Object.entries(slots).map(([environment, { current, last_successful, next }]) => [
      service,
      environment,
      current.status,
      releaseName(current),
      current.happened_at,
      current.actor ?? '',
      last_successful ? releaseName(last_successful) : '',
      next?.status ?? '',
    ]),
    ...Object.entries(upcoming).map(([environment, next]) => [service, environment, '', '', '', '', '', next.status]),
  ]);
}
