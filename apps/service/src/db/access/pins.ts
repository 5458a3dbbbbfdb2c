import type { AccessPin } from '@shiplog/contract';
import type { PinKey } from '../../domain/page-cursor.ts';
import type { Queries } from '../database.ts';

/** The id that a name had when it was first accepted. `folded` is the name as names of its issuer compare. */
export interface Pin extends Pick<AccessPin, 'issuer' | 'kind' | 'name' | 'id'> {
  readonly folded: string;
}

/** The stored ids of these names; `undefined` for a name that has none. */
export async function readPins(queries: Queries, pins: readonly Pin[]): Promise<(string | undefined)[]> {
  const stored = await queries.query<{ id: string | null }>({
    name: 'read-pins',
    text: `
      select stored.id from unnest($1::text[], $2::text[], $3::text[]) with ordinality as pin (issuer, kind, folded, n)
      left join access_pins stored using (issuer, kind, folded) order by n`,
    values: keysOf(pins),
  });
  return stored.map(({ id }) => id ?? undefined);
}

/**
 * Stores the ids of names that have none. Returns the ids that the names then have. Waits for any other transaction
 * that stores the same name.
 */
export async function storePins(queries: Queries, pins: readonly Pin[]): Promise<(string | undefined)[]> {
  await queries.query({
    name: 'store-pins',
    text: `
      insert into access_pins (issuer, kind, folded, name, id)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) order by 1, 2, 3
      on conflict do nothing`,
    values: [...keysOf(pins), pins.map(({ name }) => name), pins.map(({ id }) => id)],
  });
  return readPins(queries, pins);
}

/** The first name that has a different id than before. @param ids as `readPins` returns them. */
export function changedPin(pins: readonly Pin[], ids: readonly (string | undefined)[]): Pin | undefined {
  return pins.find(({ id }, index) => ids[index] !== undefined && ids[index] !== id);
}

function keysOf(pins: readonly Pin[]): string[][] {
  return [pins.map(({ issuer }) => issuer), pins.map(({ kind }) => kind), pins.map(({ folded }) => folded)];
}

/** Removes the pins of a repository or owner with this name. Returns them. */
export function forgetPins(queries: Queries, issuer: string, folded: string): Promise<AccessPin[]> {
  return queries.query({
    name: 'forget-pins',
    text: `delete from access_pins where issuer = $1 and folded = $2 returning issuer, kind, name, id`,
    values: [issuer, folded],
  });
}

/** One page in the order of issuers and names, with one extra row if there are more. */
export function listPins(queries: Queries, after: PinKey | undefined, size: number) {
  return queries.query<AccessPin & PinKey>({
    name: 'list-pins',
    text: `
      select issuer, kind, folded, name, id,
        to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from access_pins where $1::text is null or (issuer, folded, kind) > ($1, $2, $3)
      order by issuer, folded, kind limit $4`,
    values: [after?.issuer ?? null, after?.folded ?? null, after?.kind ?? null, size + 1],
  });
}
