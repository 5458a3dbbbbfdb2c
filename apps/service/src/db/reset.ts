import { type ControlFrameType, type ResetState, streams } from '@shiplog/contract';
import type { ResetEffect, ResetSettings, ResetView } from '../domain/reset.ts';
import { oneRow, type Queries, queryTimeoutMs, type Session } from './database.ts';

export interface StoredReset extends ResetView {
  /** The id of the reset in progress, or of the last reset. */
  readonly correlationId: string | null;
}

const msOf = (instant: string) => `coalesce(extract(epoch from ${instant}) * 1000, 0)::float8`;

const columns = `
  reset.state, reset.correlation_id as "correlationId", reset.expected,
  ${msOf('clock_timestamp()')} as now, ${msOf('reset.drain_until')} as "drainUntil",
  (select ${msOf('gate_until')} from log_heads where log = 'deployments') as "gateUntil",
  -- Acks count once per component id, and only if they name the reset in flight (§3, reading 7.4).
  case when reset.state = 'draining' then array(
    select distinct component_id from component_reports
    where correlation_id = reset.correlation_id::text and event_type = 'reset-ack'
  ) else '{}' end as acked`;

export function readReset(queries: Queries): Promise<StoredReset> {
  return oneRow(queries, { name: 'read-reset', text: `select ${columns} from reset` });
}

/**
 * Locks the reset for the transaction. Returns `undefined` if another transaction holds the lock and `wait` is false.
 */
export async function lockReset(queries: Queries, wait: boolean): Promise<StoredReset | undefined> {
  // Read the row under the lock, because the snapshot of the first statement may be older.
  const locked = await queries.query({ text: `select from reset for update ${wait ? '' : 'skip locked'}` });
  return locked.length === 0 ? undefined : readReset(queries);
}

export interface AnnouncedFrame {
  readonly id: string;
  /** RFC 3339 in UTC with milliseconds. */
  readonly occurredAt: string;
}

/** Takes a step in the transaction that holds the lock of the reset. Returns the frame that announces the step. */
export async function takeResetStep(
  queries: Queries,
  reset: StoredReset,
  step: { readonly next: ResetState; readonly effects: readonly ResetEffect[] },
  settings: ResetSettings,
): Promise<AnnouncedFrame> {
  let announced: AnnouncedFrame | undefined;
  for (const effect of step.effects) announced = (await effects[effect](queries, reset, settings)) ?? announced;
  await queries.query({ text: 'update reset set state = $1', values: [step.next] });
  if (!announced) throw new Error(`no frame announces the step to ${step.next}`);
  return announced;
}

type Effect = (queries: Queries, reset: StoredReset, settings: ResetSettings) => Promise<AnnouncedFrame | undefined>;

const effects: Readonly<Record<ResetEffect, Effect>> = {
  'announce-initiated': async (queries, _reset, settings) => {
    const frame = await announce(queries, 'reset-initiated', null);
    await queries.query({
      text: `update reset set correlation_id = $1, expected = $2,
        drain_until = clock_timestamp() + $3::int * interval '1 second'`,
      values: [frame.id, settings.expectedComponents, settings.ackTimeoutSeconds],
    });
    return frame;
  },
  'announce-started': (queries, { correlationId }) => announce(queries, 'reset-started', correlationId),
  'announce-completed': (queries, { correlationId }) => announce(queries, 'reset-completed', correlationId),
  'announce-aborted': (queries, { correlationId }) => announce(queries, 'reset-aborted', correlationId),
  'close-gate': async (queries, _reset, { gateMaxTtlSeconds }) => {
    await queries.query({
      text: `update log_heads set gate_until = clock_timestamp() + $1::int * interval '1 second'
        where log = 'deployments'`,
      values: [gateMaxTtlSeconds],
    });
    return undefined;
  },
  'open-gate': async (queries) => {
    await queries.query({ text: `update log_heads set gate_until = null where log = 'deployments'` });
    return undefined;
  },
  clear: async (queries, reset) => {
    // Lock the log before reading its rows, so that rows from an append that was holding the lock are visible too.
    await queries.query({ text: `select from log_heads where log = 'deployments' for update` });
    // The folds are rebuilt, so removed rows need not be taken out of them.
    await queries.query({ text: `select set_config('shiplog.rebuilds_folds', 'on', true)` });
    await queries.query({ text: 'update folds set tick = -1' });
    // Store the greatest id, to mark streams that resume from before the clearing (reading 6.3), and advance the tick,
    // to invalidate earlier results.
    await queries.query({
      text: `
        update log_heads
        set removed_id = greatest(removed_id, (select id from deployments order by id desc limit 1)),
          last_tick = greatest(last_tick + 1, log_tick(clock_timestamp())), removed_tick = last_tick + 1
        where log = 'deployments'`,
    });
    for (const table of clearedTables) {
      const timeoutMs = await limitToGate(queries, reset);
      await queries.query({ text: `delete from ${table}`, timeoutMs });
    }
    return undefined;
  },
};

/** Limits the next statements to the time until the gate opens, because posts wait for them (§3). Returns that time. */
async function limitToGate(queries: Queries, { gateUntil }: StoredReset): Promise<number> {
  const left = await oneRow<{ ms: number }>(queries, {
    text: `
      select ms, set_config('statement_timeout', ms::text, true)
      from (select greatest(1, ceil($1 - ${msOf('clock_timestamp()')}))::int as ms) left_over`,
    values: [gateUntil],
  });
  return left.ms;
}

/** The tables that a reset clears (reading 7.5). */
const clearedTables = ['deployments', 'latest_deployments', 'fetcher_states', 'outage_rows', 'outages'] as const;

const vacuumMs = 10 * 60_000;

/** Removes the index entries of cleared rows, because these would slow down every scan. */
export async function vacuumCleared(session: Session): Promise<void> {
  await session.query({ text: `set statement_timeout = ${vacuumMs}` });
  await session.query({ text: `vacuum ${clearedTables.join(', ')}`, timeoutMs: vacuumMs });
  await session.query({ text: `set statement_timeout = ${queryTimeoutMs}` });
}

/** Stores and sends a frame for all components. Without a correlation id, the frame's own id is used. */
function announce(queries: Queries, type: ControlFrameType, correlationId: string | null) {
  return oneRow<AnnouncedFrame>(queries, {
    name: 'announce-reset',
    text: `
      with head as (
        update log_heads set last_tick = greatest(last_tick + 1, log_tick(clock_timestamp()))
        where log = 'control' returning last_tick
      ), made as materialized (
        select log_id(last_tick) as id, log_instant(last_tick) as occurred_at from head
      ), stored as (
        insert into control_frames (id, type, component, frame)
        select id, $1, '*', '{"id":"' || id || '","type":"' || $1::text || '","component":"*","correlation_id":"'
          || coalesce($2::uuid, id) || '","occurred_at":"' || occurred_at || '"}'
        from made
      )
      select id, occurred_at as "occurredAt", pg_notify('${streams.control.channel}', id::text) from made`,
    values: [type, correlationId],
  });
}
