import { nilId, parseId } from '@shiplog/contract';
import { oneRow, type Queries, type Session } from '../database.ts';
import { FoldsBehind } from '../errors.ts';
import { type PartKey, type PlainFold, plainFolds } from './plain.ts';
import { lockForReading } from './step.ts';

/** How many events are compared at once. */
const partEvents = 100_000;

/** Where a comparison continues: in this fold, with the rows after this value. */
export interface ComparePlace {
  readonly fold: string;
  readonly after: string;
}

const kinds = ['missing', 'unexpected', 'wrong'] as const;

interface Difference {
  readonly kind: (typeof kinds)[number];
  readonly rows: number;
  readonly example: { readonly expected: object | null; readonly stored: object | null };
}

export interface Comparison {
  readonly fold: string;
  /** The rows that the range should have, and those that it has instead. */
  readonly compared: number;
  readonly differences: readonly Difference[];
  readonly next: ComparePlace | null;
  readonly repair: string;
}

/** How the ranges of a column are read from the log and from a fold. */
interface Ranges {
  /** Less than any value. */
  readonly first: string;
  readonly isValue: (text: string) => boolean;
  /** The column by which the log is read in order, and the value of the row. */
  readonly order: string;
  readonly value: string;
  /** Conditions on the events and on the rows. */
  readonly events: readonly [after: string, upto: string];
  readonly rows: readonly [after: string, upto: string];
}

function ranges(column: string, first: string, isValue: Ranges['isValue']): Ranges {
  const bounds = [`${column} > $2`, `${column} <= $3`] as const;
  return { first, isValue, order: column, value: column, events: bounds, rows: bounds };
}

/** Hours or days since 1970, from the year 0 to 9999. */
function timeRanges(column: 'hour' | 'day', perDay: number): Ranges {
  const [min, max] = [-720_800 * perDay, 2_958_000 * perDay];
  const seconds = 86_400 / perDay;
  return {
    first: String(min),
    isValue: (text) => /^-?\d{1,8}$/.test(text) && Number(text) >= min && Number(text) <= max,
    order: 'happened_at',
    value: `${column}_of(happened_at)`,
    events: [
      `happened_at >= to_timestamp(($2::int + 1) * ${seconds}.0)`,
      `happened_at < to_timestamp(($3::int + 1) * ${seconds}.0)`,
    ],
    rows: [`${column} > $2`, `${column} <= $3`],
  };
}

const rangesBy: Readonly<Record<PartKey, Ranges>> = {
  deployment_id: ranges('deployment_id', '', () => true),
  service: ranges('service', '', () => true),
  id: ranges('id', nilId, (text) => parseId(text) === text),
  hour: timeRanges('hour', 24),
  day: timeRanges('day', 1),
};

const order = Object.keys(plainFolds);

/** Without members that every object has, such as `toString`. */
const plainOf = (fold: string): PlainFold | undefined =>
  Object.hasOwn(plainFolds, fold) ? plainFolds[fold] : undefined;

/** Where the comparison of a fold begins; null without a fold. */
export function startOf(fold = ''): ComparePlace | null {
  const plain = plainOf(fold);
  return plain ? { fold, after: rangesBy[plain.by].first } : null;
}

export const firstPlace = startOf(order[0]);

function foldAfter(fold: string): string | undefined {
  return order[order.indexOf(fold) + 1];
}

/** Whether the column of a fold can have this value. */
export function isPlace({ fold, after }: ComparePlace): boolean {
  const plain = plainOf(fold);
  return plain !== undefined && rangesBy[plain.by].isValue(after);
}

/**
 * Compares a range of a fold with plain SQL over the log, in one snapshot, at the current position of the folds. Takes
 * no lock that a step waits for, and ends soon even if the log is large.
 * @throws FoldsBehind while the folds are marked to be rebuilt.
 */
export function compareFold(session: Session, place: ComparePlace, events = partEvents): Promise<Comparison> {
  const { fold, after } = place;
  const plain = plainFolds[fold] as PlainFold;
  return session.snapshot(async (queries) => {
    const { below } = await oneRow<{ below: string | null }>(queries, {
      text: 'select case when tick >= 0 then tick_floor(tick + 1) end as below from folds',
    });
    if (below === null) throw new FoldsBehind();
    const upto = await rangeEnd(queries, rangesBy[plain.by], [below, after, events]);
    const { compared, ...found } = await oneRow<{ compared: number } & Record<Difference['kind'], Difference>>(
      queries,
      {
        text: comparison(fold, plain, upto !== undefined),
        values: [below, after, ...(upto === undefined ? [] : [upto])],
      },
    );
    const differences = kinds.map((kind) => ({ ...found[kind], kind })).filter(({ rows }) => rows > 0);
    const next = upto === undefined ? startOf(foldAfter(fold)) : { fold, after: upto };
    return { fold, compared, differences, next, repair: 'update folds set tick = -1' };
  }, lockForReading);
}

/** The last value of a range with this many events, or a few more; `undefined` if the log has less. */
async function rangeEnd(queries: Queries, { order, value, events: [after] }: Ranges, values: readonly unknown[]) {
  const [end] = await queries.query<{ upto: string }>({
    text: `select ${value}::text as upto from deployments where id < $1 and ${after} order by ${order} offset $3 limit 1`,
    values,
  });
  return end?.upto;
}

const columns = 'id, deployment_id, service, environment, status, happened_at, event, parents, release, reporter';

function comparison(table: string, { key, values, by, rows }: PlainFold, hasEnd: boolean): string {
  const within = (bounds: readonly string[]) => bounds.slice(0, hasEnd ? 2 : 1).join(' and ');
  const of = (side: string) => values.map((column) => `${side}.${column}`).join(', ');
  const [first] = key;
  const conditions: Record<Difference['kind'], string> = {
    missing: `stored.${first} is null`,
    unexpected: `expected.${first} is null`,
    wrong:
      values.length === 0
        ? 'false'
        : `expected.${first} is not null and stored.${first} is not null
           and (${of('expected')}) is distinct from (${of('stored')})`,
  };
  const example = `json_build_object('expected', row_to_json(expected), 'stored', row_to_json(stored))`;
  const found = kinds.map((kind) => {
    const where = `filter (where ${conditions[kind]})`;
    return `json_build_object('rows', count(*) ${where}, 'example', (array_agg(${example}) ${where})[1]) as ${kind}`;
  });
  // The folds still have the events that were removed since the last step.
  return `
    with events as not materialized (
      select ${columns} from deployments where id < $1
      union all
      select ${columns} from removed_deployments where id < $1
    ), part as not materialized (
      select * from events where ${within(rangesBy[by].events)}
    ), expected as materialized (
      select ${[...key, ...values]} from (${rows}) plain
    ), stored as materialized (
      select ${[...key, ...values]} from ${table} where ${within(rangesBy[by].rows)}
    )
    select count(*)::int as compared, ${found.join(', ')}
    from expected full join stored on ${key.map((column) => `expected.${column} = stored.${column}`).join(' and ')}`;
}
