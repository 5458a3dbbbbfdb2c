import type { Medians } from '../../domain/kpi.ts';
import type { Queries } from '../database.ts';

/**
 * The medians of samples: of all, of each half and of each day, in one pass (readings 5.5 to 5.7).
 *
 * @param samples a query for rows (`at` timestamptz, `value` float8, null where it is not known yet); it may use `$1` to
 *   `$3`, the bounds of the window and its middle, and further values from `$4` on.
 */
export async function readMedians(queries: Queries, samples: string, values: readonly unknown[]): Promise<Medians> {
  return mediansOf(await queries.query<MedianRow>({ text: medians(samples) }, values));
}

export interface MedianRow {
  readonly day: number | null;
  readonly prior: boolean | null;
  readonly median: number | null;
  readonly open: boolean;
}

/**
 * The mean of the middle two values of an even count (reading 5.10), so that whoever computes it from the rows meets its
 * last digit; `percentile_cont` interpolates, and misses it for one pair in eight. A little above a half is the upper one
 * of them for up to five thousand million values, and the values are sorted once for both.
 */
export function medianOf(column: string): string {
  const middle = `(percentile_disc(array[0.5, 0.5000000001]) within group (order by ${column}))`;
  return `(${middle}[1] + ${middle}[2]) / 2`;
}

/**
 * The seconds of an interval between two timestamps as float8, the nearest to its microseconds: what `extract` gives,
 * which works with all digits and takes several times as long.
 */
export function secondsOf(interval: string): string {
  return `round(date_part('epoch', ${interval}) * 1000000) / 1000000`;
}

/** The statement; `further` are expressions beside the figures of each row. */
export function medians(samples: string, further = ''): string {
  return `
    with recursive ${samples}
    select day, prior, ${medianOf('value')} as median,
      bool_or(value is null) as open ${further}
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
