import type { Queries } from './database.ts';

/** A column's instant as answers have it: RFC 3339 in UTC, with as many digits as it has. */
export const instantText = (column: string) =>
  `rtrim(rtrim(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z'`;

/** When the oldest row of the log happened, `null` for an empty log: one look into the index by time. */
export const logBegin = `(select ${instantText('happened_at')} from deployments order by happened_at, id limit 1)`;

export async function readLogBegin(queries: Queries): Promise<string | null> {
  const [row] = await queries.query<{ begin: string | null }>({
    name: 'log-begin',
    text: `select ${logBegin} as begin`,
  });
  return row?.begin ?? null;
}
