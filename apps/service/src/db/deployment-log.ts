import { nilId } from '@shiplog/contract';
import type { Queries } from './database.ts';

export interface LogRow {
  readonly id: string;
  readonly service: string;
  /** The event's JSON. */
  readonly event: string;
}

export interface LogPage {
  /** Ascending; only rows of the asked service. */
  readonly rows: readonly LogRow[];
  /** Every row up to this id was looked at. */
  readonly position: string;
  readonly atHead: boolean;
}

const pageRows = 500;
const pageBytes = 1024 * 1024;

interface PageRow {
  readonly id: string;
  readonly service: string | null;
  readonly event: string | null;
  readonly found: number;
}

/**
 * The rows after an id, as many as fit a page of `pageRows` rows and about `pageBytes` of JSON. A service filter drops
 * rows from the page and does not look further: a page costs the same whatever it is filtered by.
 */
export async function readLogPage(queries: Queries, after: string, service: string | undefined): Promise<LogPage> {
  const rows = await queries.query<PageRow>(
    {
      name: 'deployment-log-page',
      text: `
        select id, found, case when passes then service end as service, case when passes then event end as event
        from (
          select id, service, event, ($2::text is null or service = $2) as passes,
            count(*) over ()::int as found,
            sum(octet_length(event)) over (order by id) - octet_length(event) as bytes_before
          from (select id, service, event from deployments where id > $1 order by id limit ${pageRows}) page
        ) sized
        where bytes_before < ${pageBytes}
        order by id`,
    },
    [after, service],
  );
  const found = rows[0]?.found ?? 0;
  return {
    rows: rows.filter((row): row is PageRow & LogRow => row.event !== null),
    position: rows.at(-1)?.id ?? after,
    atHead: found < pageRows && rows.length === found,
  };
}

export interface LogBounds {
  /** The greatest id that was ever given out, whether its row is still stored or not. */
  readonly lastId: string;
  /** The greatest id whose row was pruned or cleared. */
  readonly removedId: string;
}

/** Where the log ends and what is missing from it. */
export async function readLogBounds(queries: Queries): Promise<LogBounds> {
  const [row] = await queries.query<{ last_id: string; removed_id: string }>({
    name: 'deployment-log-bounds',
    text: `
      select removed_id, greatest(removed_id, (select id from deployments order by id desc limit 1)) as last_id
      from log_heads where log = 'deployments'`,
  });
  return { lastId: row?.last_id ?? nilId, removedId: row?.removed_id ?? nilId };
}
