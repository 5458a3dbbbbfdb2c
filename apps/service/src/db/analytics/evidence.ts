import type { EvidenceTotals, Part, Tally } from '../../domain/evidence.ts';
import type { PageKey } from '../../domain/page-cursor.ts';
import type { Queries } from '../database.ts';
import { cursorInstant } from '../log-mark.ts';
import { medianOf } from './medians.ts';

export interface PageRequest {
  /** The last item of the previous page. */
  readonly after: PageKey | undefined;
  /** Whether to return only counted or only uncounted items. */
  readonly counted: boolean | undefined;
  readonly size: number;
}

/** An item with the columns of its main row. */
export interface ItemRow {
  readonly id: string;
  /** The time with six fraction digits. */
  readonly happened_at: string;
  /** The same time as written in the event. */
  readonly at: string;
  readonly service: string;
  readonly environment: string;
  readonly deployment_id: string;
  readonly status: string;
  readonly value: number | null;
  readonly counted: boolean;
  readonly reason: string | null;
  readonly others: readonly string[];
}

/** The conditions and the order of a page, with one extra row; its values start at `$first`. */
export function keyset({ after, size }: PageRequest, first: number, at = 'at'): { text: string; values: unknown[] } {
  const order = `order by ${at} desc, id desc limit $${first}::int`;
  if (!after) return { text: order, values: [size + 1] };
  return {
    text: `and (${at}, id) < ($${first + 1}::timestamptz, $${first + 2}::uuid) ${order}`,
    values: [size + 1, after.happenedAt, after.id],
  };
}

/** `ctes` end in a relation `page` of items. */
interface PageStatement extends Omit<Items, 'tallied'> {
  /** Extra columns, the same in every row. */
  readonly totals?: string;
}

interface Row extends Omit<ItemRow, 'id'> {
  readonly id: string | null;
  readonly parts?: readonly Part[] | null;
  readonly tallies?: readonly Tally[] | null;
}

/** The items of a page, newest first, with the totals. */
export async function readPage(queries: Queries, { ctes, others, totals, values }: PageStatement) {
  const rows = await queries.query<Row>({
    text: `
      with recursive ${ctes}
      select ${totals ? `${totals},` : ''} page.id, page.value, page.counted, page.reason,
        array_remove(${others}, null) as others, event::json ->> 'happened_at' as at,
        ${cursorInstant('page.at')} as happened_at,
        about.service, about.environment, about.deployment_id, about.status
      from (select 1) always
      left join page on true
      left join deployments about on about.id = page.id
      order by page.at desc, page.id desc`,
    values,
  });
  return {
    rows: rows.filter((row): row is Row & ItemRow => row.id !== null),
    parts: rows[0]?.parts ?? [],
    tallies: rows[0]?.tallies ?? [],
  };
}

/** The items of a figure in SQL. */
export interface Items {
  /**
   * End in a relation `items`: `at` and `id` of the main row, `part` (status or stage if the figure has a value for
   * each, else null), `value`, `counted`, `reason`, and the columns that `others` uses.
   */
  readonly ctes: string;
  /** The relation to compute the totals from; `items` by default. */
  readonly tallied?: string;
  /** The other rows of an item in `page`: an array of uuid; `null` elements are ignored. */
  readonly others: string;
  readonly values: readonly unknown[];
}

export interface Evidence extends EvidenceTotals {
  /** With one extra row if there is another page. */
  readonly rows: readonly ItemRow[];
}

export async function readItems(queries: Queries, items: Items, page: PageRequest): Promise<Evidence> {
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
