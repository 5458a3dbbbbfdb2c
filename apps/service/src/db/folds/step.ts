import { oneRow, type Queries, queryTimeoutMs, type Session } from '../database.ts';
import { changesFold } from './changes.ts';
import { countsFold } from './counts.ts';
import { faultyEventsFold } from './faulty-events.ts';
import type { Fold } from './fold.ts';
import { leadTimesFold } from './lead-times.ts';
import { parentsFold } from './parents.ts';
import { releasesFold } from './releases.ts';
import { outcomeRunsFold, releaseRunsFold, statusRunsFold } from './runs.ts';

/** Every fold; all have the same position. */
const folds: readonly Fold[] = [
  changesFold,
  faultyEventsFold,
  parentsFold,
  statusRunsFold,
  outcomeRunsFold,
  releaseRunsFold,
  countsFold,
  leadTimesFold,
  releasesFold,
];

export const foldTables = folds.flatMap((fold) => fold.tables);

/** How many events one step adds. */
export const stepRowsMax = 10_000;

interface Stored {
  /** The tick of the folds, and of the log. */
  readonly tick: string;
  readonly logTick: string;
  /** Whether the log still has the events that the folds were made from. */
  readonly isWhole: boolean;
  readonly hasRemovals: boolean;
  readonly from: string;
}

const isMissing = `last_id is not null and not exists (select from deployments where id = last_id)
  and not exists (select from removed_deployments where id = last_id)`;

/** The first id that is in no fold yet. */
export const unfoldedFrom = `(select tick_floor(case when ${isMissing} then 0 else greatest(tick, -1) + 1 end) from folds)`;

const lockFolds = (wait: boolean) => ({
  name: `lock-folds-${wait ? 'wait' : 'skip'}`,
  text: `
    select tick::text, head.last_tick::text as "logTick", tick >= 0 and tick <= head.last_tick and not (${isMissing}) as "isWhole",
      exists (select from removed_deployments) as "hasRemovals", tick_floor(tick + 1) as from
    from folds cross join (select last_tick from log_heads where log = 'deployments') head
    for update of folds ${wait ? '' : 'skip locked'}`,
});

/** The events of the next step: how many there are, and the last of them. */
const nextEvents = {
  name: 'next-events',
  text: `
    select count(*)::int as rows, (array_agg(id order by id desc))[1] as "lastId"
    from (select id from deployments where id >= $1 order by id limit $2) next`,
};

/** Moves the position, and returns the first id after it. */
const moveFolds = {
  name: 'move-folds',
  text: `
    update folds set tick = $1::bigint,
      last_id = (select id from deployments where id < tick_floor($1::bigint + 1) order by id desc limit 1)
    returning tick_floor(tick + 1) as to`,
};

export interface Step {
  /** The tick of the folds after the step, and of the log. */
  readonly tick: string;
  readonly logTick: string;
  /** How many events were added, and whether more are waiting. */
  readonly rows: number;
  readonly isFull: boolean;
  readonly isRebuild: boolean;
  /** How long it took, without waiting for the step of another instance. */
  readonly seconds: number;
}

export interface StepOptions {
  /** Whether to wait while another instance takes a step. */
  readonly wait: boolean;
  /** How many events the step adds at most. */
  readonly rowsMax?: number;
  /** Work in the snapshot of the step, which has no later events unless the step is full. */
  readonly also?: (queries: Queries) => Promise<void>;
}

/**
 * Takes one step in one snapshot, so that events that are removed meanwhile can't be missed. Returns `undefined` if
 * another instance is taking one and `wait` is false.
 */
export function foldStep(
  session: Session,
  { wait, rowsMax = stepRowsMax, also }: StepOptions,
): Promise<Step | undefined> {
  return session.transaction(
    async (queries) => {
      const [stored] = await queries.query<Stored>(lockFolds(wait));
      if (!stored) return undefined;
      const startedAt = performance.now();
      const step = stored.isWhole ? await add(queries, stored, rowsMax) : await startAnew(queries);
      const seconds = (performance.now() - startedAt) / 1000;
      if (also) {
        await queries.query({
          text: `set local statement_timeout = ${queryTimeoutMs}; set local enable_bitmapscan = on`,
        });
        await also(queries);
      }
      return { ...step, logTick: stored.logTick, seconds };
    },
    // A failover may lose the last steps, never a part of one. They are taken again, so none waits for a standby; each
    // waits for the disk, because a standby gets only what is written there. The lock of the table comes before the
    // snapshot: a step of another instance after it would be a conflict.
    `begin isolation level repeatable read; set local synchronous_commit = local;
     ${wait ? 'lock table folds in exclusive mode' : ''}`,
  );
}

type StepTaken = Omit<Step, 'logTick' | 'seconds'>;

async function add(
  queries: Queries,
  { tick, logTick, hasRemovals, from }: Stored,
  rowsMax: number,
): Promise<StepTaken> {
  const { rows, lastId } = await oneRow<{ rows: number; lastId: string | null }>(queries, {
    ...nextEvents,
    values: [from, rowsMax],
  });
  const isFull = rows === rowsMax;
  const next = isFull && lastId !== null ? tickOf(lastId) : logTick;
  if (next === tick && !hasRemovals) return { tick, rows, isFull, isRebuild: false };
  const { to } = await oneRow<{ to: string }>(queries, { ...moveFolds, values: [next] });
  if (rows > 0 || hasRemovals) {
    for (const fold of folds) await fold.step(queries, { from, to, hasRemovals });
    if (hasRemovals) {
      await queries.query({ name: 'forget-removed', text: 'delete from removed_deployments' });
      await queries.query(beginEpoch);
    }
  }
  return { tick: next, rows, isFull, isRebuild: false };
}

/** A truncated table looks empty to older snapshots too, so readers lock the first table before they take theirs. */
const [guard] = foldTables;
export const lockForReading = `lock table ${guard} in access share mode`;

const beginEpoch = { name: 'begin-epoch', text: 'update folds set epoch = gen_random_uuid()' };

async function startAnew(queries: Queries): Promise<StepTaken> {
  await queries.query({ text: `truncate ${[...foldTables, 'removed_deployments'].join(', ')}` });
  await queries.query({ text: 'update folds set tick = 0, last_id = null' });
  await queries.query(beginEpoch);
  return { tick: '0', rows: 0, isFull: true, isRebuild: true };
}

/** The tick in an id: the milliseconds and the 12 bits after the version. */
function tickOf(id: string): string {
  const digits = id.replaceAll('-', '');
  return String((BigInt(`0x${digits.slice(0, 12)}`) << 12n) | BigInt(`0x${digits.slice(13, 16)}`));
}

/** Whether the snapshot shows folds with everything up to a tick; the events after `below` are not in them. */
export interface FoldPosition {
  readonly tick: string;
  readonly below: string;
  /** The last event that the folds have; null without one. */
  readonly lastId: string | null;
  /** Whether the log has later events. */
  readonly hasLater: boolean;
}

/** The position of the folds in this snapshot; `undefined` while an event that was removed is still in them. */
export async function foldPosition(queries: Queries): Promise<FoldPosition | undefined> {
  const [position] = await queries.query<FoldPosition>({
    name: 'fold-position',
    text: `
      select tick::text, tick_floor(tick + 1) as below, last_id as "lastId",
        coalesce((select id from deployments order by id desc limit 1) >= tick_floor(tick + 1), false) as "hasLater"
      from folds
      where tick >= 0 and not exists (select from removed_deployments) and not (${isMissing})`,
  });
  return position;
}

/** Shows whether the log still has all events that the folds had at an earlier position. */
export interface FoldEpoch {
  readonly epoch: string;
  readonly lastId: string | null;
  /** Whether the log has the event that was asked for; a failover or a restored backup may have lost it. */
  readonly hasKnown: boolean;
}

/** @param knownId the last event at that position; null without one. */
export function foldEpoch(queries: Queries, knownId: string | null): Promise<FoldEpoch> {
  return oneRow<FoldEpoch>(queries, {
    name: 'fold-epoch',
    text: `
      select epoch, last_id as "lastId", $1::uuid is null or exists (select from deployments where id = $1) as "hasKnown"
      from folds`,
    values: [knownId],
  });
}
