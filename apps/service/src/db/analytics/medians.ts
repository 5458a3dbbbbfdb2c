import type { Medians } from '../../domain/kpi.ts';
import type { Queries } from '../database.ts';

/**
 * The medians of all samples, of each half of the window and of each day (readings 5.5 to 5.7).
 * @param samples ends in a relation `samples` (`at` timestamptz, `value` float8, null if not known yet). The first
 * values are the start, the middle and the end of the window.
 */
export async function readMedians(queries: Queries, samples: string, values: readonly unknown[]): Promise<Medians> {
  const text = `
    with ${samples}
    select day, prior, ${medianOf('value')} as median, bool_or(value is null) as open
    from (
      -- Without an offset, each value would be computed again for each use.
      select floor(date_part('epoch', at) / 86400)::int as day, at < $2 as prior, value from samples offset 0
    ) samples
    group by grouping sets ((), (day), (prior))`;
  return mediansOf(await queries.query<MedianRow>({ text, values }));
}

interface MedianRow {
  readonly day: number | null;
  readonly prior: boolean | null;
  readonly median: number | null;
  readonly open: boolean;
}

/**
 * The shares of the middle two values, which are one for an odd count. A fraction just above one half selects the upper
 * value for up to five billion values.
 */
export const medianShares = [0.5, 0.5000000001];

/**
 * For an even count the mean of the middle two values (reading 5.10), exact to the last digit; `percentile_cont`
 * interpolates and differs for one pair in eight.
 */
export function medianOf(column: string): string {
  const middle = `(percentile_disc(array[${medianShares}]) within group (order by ${column}))`;
  return `(${middle}[1] + ${middle}[2]) / 2`;
}

/** Seconds as float8, exact to the microsecond. `extract` gives the same but takes several times as long. */
export function secondsOf(interval: string): string {
  return `round(date_part('epoch', ${interval}) * 1000000) / 1000000`;
}

function mediansOf(rows: readonly MedianRow[]): Medians {
  const found = (matches: (row: MedianRow) => boolean) => rows.find(matches)?.median ?? null;
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
