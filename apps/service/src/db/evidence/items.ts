import type { EvidenceTotals } from '../../domain/evidence.ts';
import { medianOf } from '../analytics/medians.ts';
import type { Queries } from '../database.ts';
import { type AskedPage, type ItemRow, keyset, readPage } from './page.ts';

/** A figure's items in SQL. */
export interface Items {
  /**
   * Common table expressions that end in `items`: `at` and `id` of the row that an item is about, `part` (the status or
   * stage that the figure is told by, else `null`), `value`, `counted`, `reason`, and what `others` uses.
   */
  readonly ctes: string;
  /** Where all items are told in another way than by `items`: the relation that has their other columns. */
  readonly tallied?: string;
  /** The further rows of an item of `page`, an array of uuid in which `null` is nothing. */
  readonly others: string;
  readonly values: readonly unknown[];
}

export interface Evidence extends EvidenceTotals {
  /** One more than the page has, where there is another page. */
  readonly rows: readonly ItemRow[];
}

/** A page of the items, and the figure over all of them, which a deep page costs no more than the first. */
export async function readItems(queries: Queries, items: Items, page: AskedPage): Promise<Evidence> {
  const { tallied = 'items' } = items;
  const at = items.values.length + 1;
  const keys = keyset(page, at + 1);
  return readPage(queries, {
    ctes: `${items.ctes}, parts as (
        select part, count(*) as count, ${medianOf('value')} as p50,
          percentile_disc(0.95) within group (order by value) as p95
        from ${tallied} where counted group by part
      ), tallies as (
        select counted, reason, count(*) as count from ${tallied} group by counted, reason
      ), page as materialized (
        select * from items where ($${at}::boolean is null or counted = $${at}) ${keys.text}
      )`,
    totals: '(select json_agg(parts) from parts) as parts, (select json_agg(tallies) from tallies) as tallies',
    others: items.others,
    values: [...items.values, page.counted ?? null, ...keys.values],
  });
}
