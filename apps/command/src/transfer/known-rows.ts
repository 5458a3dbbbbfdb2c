import { type Client, keyOf } from '@shiplog/client';
import { parseInstant } from '@shiplog/contract';
import type { Row } from './row-rules.ts';

const pageSize = 500;
/** If the log has more pages than this between two rows of a file, deployments are looked up one by one. */
const pagesMax = 8;

/** The number of equal log rows, by deployment, service, environment, status and time. */
export type KnownRows = ReadonlyMap<string, number>;

/**
 * Reads the log between the first and the last of these rows, which are sorted by time. Equal rows have equal times, so
 * one page covers hundreds of rows. Returns `undefined` if the log has too many rows there or doesn't answer; the
 * caller then looks up each deployment.
 */
export async function knownRows(
  client: Pick<Client, 'listDeployments'>,
  rows: readonly Row[],
  signal: AbortSignal,
): Promise<KnownRows | undefined> {
  const span = spanOf(rows);
  const known = new Map<string, number>();
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    try {
      const query = { ...span, limit: pageSize, ...(cursor !== undefined && { cursor }) };
      const { body } = await client.listDeployments({ query, signal });
      for (const key of body.items.map(keyOfRow)) known.set(key, (known.get(key) ?? 0) + 1);
      if (body.next_cursor === null) return known;
      cursor = body.next_cursor;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

export function keyOfRow(row: Row['event']): string {
  return JSON.stringify([row.deployment_id, keyOf.row(row)]);
}

/** The span from the millisecond of the first row to the end of the millisecond of the last row. */
function spanOf(rows: readonly Row[]): { readonly since: string; readonly until: string } {
  const msOf = (row: Row | undefined) => Date.parse(parseInstant(row?.event.happened_at ?? '') ?? '');
  const instant = (ms: number) => new Date(ms).toISOString();
  return { since: instant(Math.floor(msOf(rows[0]))), until: instant(Math.floor(msOf(rows.at(-1))) + 1) };
}
