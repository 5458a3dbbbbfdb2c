import { type Scope, wholeNames } from '../domain/scope.ts';
import { within } from './analytics/span.ts';
import { type Dependence, touches } from './analytics/touched.ts';
import { oneRow, type Queries, type Session, type Statement } from './database.ts';
import { isLockTimeout } from './errors.ts';
import { logBegin } from './log-mark.ts';

export interface CachedQuestion {
  /** A hash of the query and of every setting that affects its result. */
  readonly digest: string;
  /** The query as text, from which it can be restored. */
  readonly text: string;
  readonly dependence: Dependence;
  readonly scope: Scope | undefined;
}

export interface FoundAnswer {
  /** The exact window and everything else in the query that depends on the time of the request. */
  readonly resolved: string;
  readonly etag: string;
  /** The JSON text, or `null` if the client already has it. */
  readonly answer: string | null;
  /** Whether no row added or removed since then can have changed the result. */
  readonly isTrue: boolean;
  readonly trueUntil: string;
  /** Whether the tick or the request time of the cached result should be updated. */
  readonly isBehind: boolean;
  /** Whether rows have arrived since the result was last known to be current. */
  readonly isPassed: boolean;
}

/** The state of the log at one moment. */
export interface LogState {
  readonly tick: string;
  /** The id of the last event; `null` for an empty log. */
  readonly lastId: string | null;
}

interface Moment {
  /** The database's clock, in milliseconds since the Unix epoch. */
  readonly now: number;
  /** The `happened_at` of the oldest row in the log; `null` for an empty log. */
  readonly begin: string | null;
}

export interface Lookup extends Moment {
  readonly state: LogState;
  readonly found: FoundAnswer | undefined;
}

const nowMs = '(extract(epoch from clock_timestamp()) * 1000)::float8';
const lastIdOfLog = `(select id from deployments order by id desc limit 1)`;

/** With more new rows than this, the result is recomputed. */
const freshRowsMax = 10_000;
/** With more new rows than this, first check by hour whether any row can matter. */
const fewRows = 500;
/** After this many new rows, record that the result is still current. */
const behindRows = 16;
const askedEvery = `interval '1 hour'`;

type LookupRow = Partial<FoundAnswer> & LogState & Moment & { readonly etag: string | null };

const lookupColumns = `
  ${nowMs} as now, head.last_tick::text as tick, ${lastIdOfLog} as "lastId",
  ${logBegin} as begin, resolved, etag, case when etag = any($2::text[]) then null else answer end as answer,
  kept.true_until::text as "trueUntil"`;

/**
 * A cached result and whether it is still current, both from one state of the log. @param expectsRows checks the new
 * rows immediately, without first reading whether there are any.
 */
export async function findAnswer(
  queries: Queries,
  question: CachedQuestion,
  etags: readonly string[],
  expectsRows: boolean,
): Promise<Lookup> {
  const unchanged = expectsRows ? undefined : await findUnchanged(queries, question.digest, etags);
  return unchanged && !unchanged.found?.isPassed ? unchanged : findWithNewRows(queries, question, etags);
}

/**
 * Checks only whether the log is unchanged since the result was last known to be current. This costs half as much as
 * checking the rows.
 */
function findUnchanged(queries: Queries, digest: string, etags: readonly string[]): Promise<Lookup> {
  const statement = {
    name: 'find-answer',
    text: `
      select ${lookupColumns}, asked_at < clock_timestamp() - ${askedEvery} as "isBehind", true as "isTrue",
        not (kept.true_until = head.last_tick and kept.true_until >= head.removed_tick
          and kept.last_id is not distinct from ${lastIdOfLog}) as "isPassed"
      from log_heads head
      left join kept_answers kept on kept.digest = $1
      where log = 'deployments'`,
  };
  return lookUp(queries, statement, [digest, etags]);
}

function findWithNewRows(queries: Queries, question: CachedQuestion, etags: readonly string[]): Promise<Lookup> {
  const { digest, dependence, scope } = question;
  const isTouched = touches[dependence]((table) => within(scope, table, 3).text);
  const changed =
    dependence === 'counts'
      ? `and (fresh.rows <= ${fewRows} or exists (
          select from hourly_counts
          where dimension = 'status' and hour >= hour_of(kept.from_at) and hour <= hour_of(kept.to_at - interval '1 microsecond')
            and tick > kept.true_until))`
      : '';
  const statement = {
    name: `find-answer-${dependence}${scope ? (wholeNames(scope) ? '-named' : '-matching') : ''}`,
    text: `
      select ${lookupColumns},
        fresh.rows > 0 as "isPassed", fresh.rows >= ${behindRows} or asked_at < clock_timestamp() - ${askedEvery} as "isBehind",
        -- In tables that were emptied or restored meanwhile, the last row up to the answer's tick is another one.
        kept.true_until >= head.removed_tick and kept.last_id is not distinct from (
          select id from deployments where id < tick_floor(kept.true_until + 1) order by id desc limit 1
        ) and not (fresh.rows > 0 ${changed} and (
          fresh.rows > ${freshRowsMax} or exists (
            select from (
              select * from deployments where id >= tick_floor(kept.true_until + 1) order by id limit ${freshRowsMax}
            ) fresh
            where ${isTouched}))) as "isTrue"
      from log_heads head
      left join kept_answers kept on kept.digest = $1
      left join lateral (
        select count(*) as rows from (
          select from deployments where id >= tick_floor(kept.true_until + 1) order by id limit ${freshRowsMax + 1}
        ) rows
      ) fresh on kept.digest is not null
      where log = 'deployments'`,
  };
  return lookUp(queries, statement, [digest, etags, ...within(scope, 'deployments', 3).values]);
}

async function lookUp(queries: Queries, statement: Statement, values: readonly unknown[]): Promise<Lookup> {
  const row = await oneRow<LookupRow>(queries, { ...statement, values });
  const { now, begin, tick, lastId, ...found } = row;
  return { now, begin, state: { tick, lastId }, found: found.etag === null ? undefined : (found as FoundAnswer) };
}

/**
 * Records the time of the request and the tick up to which the result is current, unless another session is doing this.
 */
export async function noteTrue(queries: Queries, digest: string, { state, found }: Required<Lookup>): Promise<void> {
  await queries.query({
    name: 'note-true',
    // Losing this commit costs at most one computation, so don't wait for the flush.
    text: `
      update kept_answers set true_until = $3, last_id = $5, asked_at = clock_timestamp()
      where digest = (select digest from kept_answers where digest = $1 for update skip locked)
        and true_until = $2 and resolved = $4 and set_config('synchronous_commit', 'off', true) = 'off'`,
    values: [digest, found?.trueUntil, state.tick, found?.resolved, state.lastId],
  });
}

export interface NewAnswer {
  readonly question: CachedQuestion;
  readonly resolved: string;
  readonly from: string;
  readonly to: string;
  readonly state: LogState;
  readonly looseEnds: readonly string[] | null;
  readonly etag: string;
  readonly answer: string;
  /** Whether a request is waiting for the result. */
  readonly isAsked: boolean;
}

/** Deletes results that were not requested for this long, and the least recently requested ones beyond `cachedMax`. */
const cachedFor = `interval '48 hours'`;
const cachedMax = 1000;

/**
 * Stores a result, unless a result from a later state exists or the log was cleared in the meantime. The lock prevents
 * removals.
 */
export async function storeAnswer(queries: Queries, answer: NewAnswer): Promise<void> {
  const { question, resolved, from, to, state, looseEnds, etag, isAsked } = answer;
  await queries.query({
    name: 'keep-answer',
    text: `
      with head as (
        select removed_tick from log_heads where log = 'deployments' for key share
      ), forgotten as (
        delete from kept_answers where digest <> $1 and (asked_at < clock_timestamp() - ${cachedFor} or digest in (
          select digest from kept_answers order by asked_at desc offset ${cachedMax - 1}))
      )
      insert into kept_answers as kept
        (digest, question, resolved, from_at, to_at, true_until, loose_ends, etag, answer, asked_at, last_id)
      select $1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp(), $11 from head where removed_tick <= $6
      on conflict (digest) do update
      set resolved = excluded.resolved, from_at = excluded.from_at, to_at = excluded.to_at,
        true_until = excluded.true_until, last_id = excluded.last_id, loose_ends = excluded.loose_ends, etag = excluded.etag,
        answer = excluded.answer, asked_at = case when $10 then excluded.asked_at else kept.asked_at end
      where kept.true_until <= excluded.true_until`,
    values: [
      ...[question.digest, question.text, resolved, from, to, state.tick, looseEnds, etag, answer.answer, isAsked],
      state.lastId,
    ],
  });
}

export interface RequestedAnswer extends Moment {
  readonly digest: string;
  readonly question: string;
  readonly resolved: string;
}

/** An arbitrary key that is not used elsewhere in the database. */
export const renewLockKey = 7_214_803_121;

/** Results requested in the last day, most recent first. */
export async function listRequested(queries: Queries): Promise<RequestedAnswer[]> {
  return queries.query({
    name: 'list-asked',
    text: `
      select digest, question, resolved, ${nowMs} as now, ${logBegin} as begin
      from kept_answers where asked_at > clock_timestamp() - interval '1 day' order by asked_at desc`,
  });
}

/** An arbitrary key that is not used elsewhere in the database; the second key of the lock identifies the question. */
const answerLocks = 721_480;

function lockKeys(digest: string): [answers: number, question: number] {
  return [answerLocks, Buffer.from(digest, 'base64url').readInt32BE()];
}

/** Called at the start of a snapshot. Reads the state of the log, and takes the lock for a query if it is free. */
export async function tryQuestion(snapshot: Queries, digest: string): Promise<{ isLocked: boolean; state: LogState }> {
  const row = await oneRow<LogState & { isLocked: boolean }>(snapshot, {
    name: 'try-question',
    text: `
      select last_tick::text as tick, ${lastIdOfLog} as "lastId", pg_try_advisory_lock($1, $2) as "isLocked"
      from log_heads where log = 'deployments'`,
    values: lockKeys(digest),
  });
  const { isLocked, ...state } = row;
  return { isLocked, state };
}

/** Waits for the lock for a query. Returns whether the session got it in time. */
export async function waitForQuestion(session: Session, digest: string, waitMs: number): Promise<boolean> {
  try {
    await session.transaction(async (queries) => {
      await queries.query({ text: `set local lock_timeout = ${waitMs}` });
      await queries.query({ text: 'select pg_advisory_lock($1, $2)', values: lockKeys(digest) });
    });
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}

/** Releases all advisory locks, because the session may hold the lock for the query several times. */
export async function unlockQuestion(session: Session): Promise<void> {
  await session.query({ name: 'unlock-question', text: 'select pg_advisory_unlock_all()' });
}
