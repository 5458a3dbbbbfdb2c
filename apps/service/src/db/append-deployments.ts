import { randomBytes } from 'node:crypto';
import { type StoredEvent, streams } from '@shiplog/contract';
import { changedPin, type Pin, storePins } from './access/pins.ts';
import type { Queries, Sessions, Statement } from './database.ts';
import { NotStored } from './errors.ts';

/** The random half of an id: the variant `8` and 60 bits. */
const noiseBytes = 8;
const noiseDigits = noiseBytes * 2;

/**
 * One statement and one round trip for a whole batch. `head` locks the log by updating its row in `log_heads`, and
 * takes the ticks for the batch from this row, which READ COMMITTED reads again when the lock is granted. The rest
 * depends on `head`, so ids are in commit order (reading 3.4). The server parses one array per column faster than JSON.
 *
 * The conditions on the gate and the slots are evaluated twice (reading 7.6): before the lock, to reject posts
 * immediately while a reset clears the log, and under the lock, to reject posts that waited during the clearing.
 */
const statement: Statement = {
  name: 'append-deployments',
  text: `
    with input as (
      select n, deployment_id, service, environment, status, happened_at::timestamptz as happened_at,
        case when parents is not null then array(select json_array_elements_text(parents::json)) end as parents,
        release, reporter, proof, rest, noise
      from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
        $10::text[], $11::text[], $13::text[]) with ordinality
        as row (deployment_id, service, environment, status, happened_at, parents, release, reporter, rest, noise, proof, n)
    ), head as (
      update log_heads
      set last_tick = greatest(last_tick + 1, log_tick(clock_timestamp())) + $1::int - 1
      where log = 'deployments' and (gate_until is null or gate_until <= clock_timestamp())
        and slots + $1::int <= $12::bigint
      returning last_tick - $1::int as tick_before
    ), numbered as materialized (
      select
        (lpad(to_hex(((tick_before + n) >> 12 << 16) | x'7000'::int | ((tick_before + n) & 4095)), 16, '0') || noise)::uuid
          as id,
        input.*
      from input cross join head
    ), stored as (
      insert into deployments (id, deployment_id, service, environment, status, happened_at, parents, release, reporter,
        proof, event)
      select id, deployment_id, service, environment, status, happened_at, parents, release, reporter, proof,
        '{"id":"' || id || '",' || rest
      from numbered
    ), latest as (
      insert into latest_deployments (service, environment, status, happened_at, id)
      select distinct on (service, environment, status) service, environment, status, happened_at, id
      from numbered
      order by service, environment, status, happened_at desc, id desc
      on conflict (service, environment, status) do update
      set happened_at = excluded.happened_at, id = excluded.id
      where (excluded.happened_at, excluded.id) > (latest_deployments.happened_at, latest_deployments.id)
    ), notice as (
      select pg_notify('${streams.deployments.channel}', id::text) from numbered where n = $1::int
    )
    select numbered.id from numbered cross join notice order by numbered.n`,
};

/** An event with the stored form of its proof; without one it was posted with the shared key. */
export interface ProvenEvent extends StoredEvent {
  readonly proof?: string | undefined;
}

/** Thrown if a reset has closed the log. Nothing was stored. */
export class GateClosed extends NotStored {}

/** Thrown if the batch might add more slots than allowed. Nothing was stored. */
class SlotsScarce extends Error {}

/**
 * Appends a batch. Returns the ids in batch order when the batch is committed and flushed.
 * @throws GateClosed while a reset clears the log.
 * @throws SlotsScarce if there would be more than `slotsMax` slots if each event added one.
 */
export async function appendDeployments(
  queries: Queries,
  batch: readonly ProvenEvent[],
  slotsMax = Number.MAX_SAFE_INTEGER,
): Promise<string[]> {
  const noise = randomBytes(batch.length * noiseBytes).toString('hex');
  const stored = await queries.query<{ id: string }>({
    ...statement,
    values: [
      batch.length,
      textArray(batch.map((event) => event.deploymentId)),
      textArray(batch.map((event) => event.service)),
      textArray(batch.map((event) => event.environment)),
      textArray(batch.map((event) => event.status)),
      textArray(batch.map((event) => event.happenedAt)),
      textArray(batch.map((event) => event.parents && JSON.stringify(event.parents))),
      textArray(batch.map((event) => event.release)),
      textArray(batch.map((event) => event.reporter)),
      textArray(batch.map((event) => event.jsonRest)),
      textArray(batch.map((_, n) => `8${noise.slice(n * noiseDigits + 1, (n + 1) * noiseDigits)}`)),
      slotsMax,
      textArray(batch.map((event) => event.proof)),
    ],
  });
  if (stored.length === 0) throw await refusalOf(queries, batch.length, slotsMax);
  return stored.map((row) => row.id);
}

async function refusalOf(queries: Queries, rows: number, slotsMax: number): Promise<Error> {
  const [head] = await queries.query<{ fits: boolean }>({
    name: 'append-refusal',
    text: `select slots + $1::int <= $2::bigint as fits from log_heads where log = 'deployments'`,
    values: [rows, slotsMax],
  });
  return head?.fits ? new GateClosed('a reset is clearing the log') : new SlotsScarce('not enough free slots');
}

/** Whether a reset is clearing the log. */
export async function isGateClosed(queries: Queries): Promise<boolean> {
  const rows = await queries.query({
    name: 'is-gate-closed',
    text: `select from log_heads where log = 'deployments' and gate_until > clock_timestamp()`,
  });
  return rows.length > 0;
}

/** The event would add a slot, but the log has reached the maximum number of slots. */
export class NoSlotLeft extends NotStored {}

/**
 * Appends a batch. Returns the id of each event, or why it was not stored. Looks up the slots only if the log might not
 * have room for one slot per event. Does so under the lock of the log, so that all instances together keep the limit.
 * @throws GateClosed while a reset clears the log.
 */
export async function appendWithinSlots(
  appends: Sessions,
  batch: readonly ProvenEvent[],
  slotsMax: number,
): Promise<(string | NoSlotLeft)[]> {
  try {
    return await appendDeployments(appends, batch, slotsMax);
  } catch (error) {
    if (!(error instanceof SlotsScarce)) throw error;
  }
  return appends.session((session) => session.transaction((queries) => appendUnderLock(queries, batch, slotsMax)));
}

/** Appends in a transaction that looks up the slots. @throws GateClosed while a reset clears the log. */
async function appendUnderLock(queries: Queries, batch: readonly ProvenEvent[], slotsMax: number) {
  const slots = await lockSlots(queries);
  if (slots === undefined) throw new GateClosed('a reset is clearing the log');
  const judged = withinRoom(batch, await knownSlots(queries, batch), slotsMax - slots);
  const fitting = judged.filter((event): event is ProvenEvent => !(event instanceof NoSlotLeft));
  const ids = fitting.length > 0 ? await appendDeployments(queries, fitting) : [];
  return judged.map((event) => (event instanceof NoSlotLeft ? event : (ids.shift() ?? '')));
}

/** A name in a token's rule had a different id before. */
export class PinRefused extends NotStored {
  readonly pin: Pin;

  constructor(pin: Pin) {
    super('a name has a different id than before');
    this.pin = pin;
  }
}

/** @throws PinRefused if one of the names has a different id. @returns whether all names have their ids. */
export function requirePins(pins: readonly Pin[], ids: readonly (string | undefined)[]): boolean {
  const other = changedPin(pins, ids);
  if (other) throw new PinRefused(other);
  return ids.every((id) => id !== undefined);
}

/**
 * Appends an event and stores the ids of the names for which it was accepted, in one transaction, so that two instances
 * can't store two ids of one name.
 * @throws PinRefused, or GateClosed while a reset clears the log.
 */
export function appendPinned(
  appends: Sessions,
  { event, pins, slotsMax }: { event: ProvenEvent; pins: readonly Pin[]; slotsMax: number },
): Promise<(string | NoSlotLeft)[]> {
  return appends.session((session) =>
    session.transaction(async (queries) => {
      requirePins(pins, await storePins(queries, pins));
      const appended = await appendUnderLock(queries, [event], slotsMax);
      // Without the event, the names are not pinned either.
      for (const result of appended) if (result instanceof NoSlotLeft) throw result;
      return appended;
    }),
  );
}

/** Locks the log. Returns its number of slots, or `undefined` while a reset clears the log. */
async function lockSlots(queries: Queries): Promise<number | undefined> {
  const [head] = await queries.query<{ slots: string | null }>({
    name: 'lock-slots',
    text: `
      select case when gate_until is null or gate_until <= clock_timestamp() then slots end as slots
      from log_heads where log = 'deployments' for update`,
  });
  return head && head.slots !== null ? Number(head.slots) : undefined;
}

type Slot = Pick<StoredEvent, 'service' | 'environment'>;

const slotKey = ({ service, environment }: Slot) => JSON.stringify([service, environment]);

async function knownSlots(queries: Queries, slots: readonly Slot[]): Promise<Set<string>> {
  const known = await queries.query<Slot>({
    name: 'known-slots',
    text: `
      select distinct service, environment from slots
      join unnest($1::text[], $2::text[]) as asked (service, environment) using (service, environment)`,
    values: [textArray(slots.map(({ service }) => service)), textArray(slots.map(({ environment }) => environment))],
  });
  return new Set(known.map(slotKey));
}

/** Rejects events that would add more than `room` slots. */
function withinRoom(batch: readonly ProvenEvent[], slots: Set<string>, room: number): (ProvenEvent | NoSlotLeft)[] {
  let left = room;
  return batch.map((event) => {
    const key = slotKey(event);
    if (slots.has(key)) return event;
    if (left <= 0) return new NoSlotLeft('the log has reached its maximum number of slots');
    left -= 1;
    slots.add(key);
    return event;
  });
}

const textOid = 25;
const headBytes = 20;
const lengthBytes = 4;
/** UTF-8 needs at most three bytes per UTF-16 code unit. */
const bytesPerUnitMax = 3;

/**
 * A `text[]` in binary form, which the server doesn't have to parse; `undefined` becomes null. The strings must contain
 * neither U+0000 nor lone surrogates (`patterns.storableText`). Source: `array_recv` in PostgreSQL.
 */
export function textArray(texts: readonly (string | undefined)[]): Buffer {
  let bytesMax = headBytes;
  for (const text of texts) bytesMax += lengthBytes + (text?.length ?? 0) * bytesPerUnitMax;
  const buffer = Buffer.allocUnsafe(bytesMax);
  let hasNulls = 0;
  let end = headBytes;
  for (const text of texts) {
    const start = end + lengthBytes;
    const length = text === undefined ? -1 : buffer.write(text, start);
    if (length < 0) hasNulls = 1;
    buffer.writeInt32BE(length, end);
    end = start + Math.max(length, 0);
  }
  const [dimensions, lowerBound] = [1, 1];
  for (const [index, value] of [dimensions, hasNulls, textOid, texts.length, lowerBound].entries())
    buffer.writeInt32BE(value, index * lengthBytes);
  return buffer.subarray(0, end);
}
