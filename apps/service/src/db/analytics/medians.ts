import type { Medians } from '../../domain/kpi.ts';
import type { Queries } from '../database.ts';

/**
 * The medians of samples: of all, of each half and of each day, in one pass (readings 5.5 to 5.7).
 *
 * @param samples a query for rows (`at` timestamptz, `value` float8, null if not known yet). It may use `$1` to `$3`,
 *   the bounds of the window and its middle, and other values from `$4` on.
 */
export async function readMedians(queries: Queries, samples: string, values: readonly unknown[]): Promise<Medians> {
  return mediansOf(await queries.query<MedianRow>({ text: medians(samples), values }));
}

export interface MedianRow {
  readonly day: number | null;
  readonly prior: boolean | null;
  readonly median: number | null;
  readonly open: boolean;
}

/**
 * The mean of the middle two values for an even count (reading 5.10), so that a computation from the rows matches to
 * the last digit; `percentile_cont` interpolates and differs for one pair in eight. A fraction just above one half
 * selects the upper value for up to five billion values, and the values are sorted once for both.
 */
export function medianOf(column: string): string {
  const middle = `(percentile_disc(array[0.5, 0.5000000001]) within group (order by ${column}))`;
  return `(${middle}[1] + ${middle}[2]) / 2`;
}

/**
 * The seconds between two timestamps as float8, exact to the microsecond: like `extract`, which uses numeric and takes
 * several times as long.
 */
export function secondsOf(interval: string): string {
  return `round(date_part('epoch', ${interval}) * 1000000) / 1000000`;
}

/** The statement; `extraColumns` are added to each row. */
export function medians(samples: string, extraColumns = ''): string {
  return `
    with recursive ${samples}
    select day, prior, ${medianOf('value')} as median,
      bool_or(value is null) as open ${extraColumns}
    from (
      -- Without an offset, each would be worked out again for each use.
      select floor(date_part('epoch', at) / 86400)::int as day, at < $2 as prior, value from samples offset 0
    ) samples
    group by grouping sets ((), (day), (prior))`;
}

export function mediansOf(rows: readonly MedianRow[]): Medians {
  const found = (wanted: (row: MedianRow) => boolean) => rows.find(wanted)?.median ?? null;
  const isTotal = ({ day, prior }: MedianRow) => day === null && prior === null;
  return {
    value: found(isTotal),
    prior: found(({ prior }) => prior === true),
    current: found(({ prior }) => prior === false),
    byDay: new Map(
      rows.flatMap(({ day, median }) => (day === null || median === null ? [] : [[day, median] as const])),
    ),
    isOpen: rows.find(isTotal)?.open === true,
  };
}
