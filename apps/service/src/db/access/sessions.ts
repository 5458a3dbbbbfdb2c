import { randomBytes } from 'node:crypto';
import type { Queries, Sessions } from '../database.ts';

export interface SessionKey {
  readonly id: string;
  readonly secret: Buffer;
}

export interface EndedSession {
  readonly id: string;
  /** When its cookie ends, in milliseconds since 1970. */
  readonly untilMs: number;
}

/** What all instances must know about sessions. */
export interface SessionState {
  /** Newest first. */
  readonly keys: readonly SessionKey[];
  readonly ended: readonly EndedSession[];
}

const renewDays = 30;
/** An arbitrary key that is not used elsewhere in the database. */
const keyLock = 7_214_803_122;

/** Reads the keys, newest first; makes a new one if the last is old. Keys are removed when no session can need them. */
export async function readSessions(sessions: Sessions, sessionHours: number): Promise<SessionState> {
  return sessions.session((session) =>
    session.transaction(async (queries) => {
      const fresh = await queries.query({
        name: 'fresh-session-key',
        text: `select from session_keys where made_at > clock_timestamp() - interval '${renewDays} days' limit 1`,
      });
      if (fresh.length === 0) await makeKey(queries, sessionHours);
      const keys = await queries.query<SessionKey>({
        name: 'read-session-keys',
        text: 'select id, secret from session_keys order by made_at desc, id',
      });
      const ended = await queries.query<EndedSession>({
        name: 'read-ended-sessions',
        text: `select id, extract(epoch from until)::float8 * 1000 as "untilMs"
          from ended_sessions where until > clock_timestamp()`,
      });
      return { keys, ended };
    }),
  );
}

/** One instance makes the key; the others wait and find it. */
async function makeKey(queries: Queries, sessionHours: number): Promise<void> {
  await queries.query({ text: `select pg_advisory_xact_lock(${keyLock})` });
  await queries.query({
    text: `
      insert into session_keys (secret) select $1 where not exists (
        select from session_keys where made_at > clock_timestamp() - interval '${renewDays} days'
      )`,
    values: [randomBytes(32)],
  });
  // Sessions of wall displays may last 400 days; their keys are kept that long.
  await queries.query({
    text: `delete from session_keys where made_at < clock_timestamp() - interval '${renewDays} days'
      - greatest(interval '400 days', $1::float8 * interval '1 hour')`,
    values: [sessionHours],
  });
}

export async function endSession(queries: Queries, id: string, untilMs: number): Promise<void> {
  await queries.query({
    name: 'end-session',
    text: `
      with outdated as (delete from ended_sessions where until < clock_timestamp())
      insert into ended_sessions (id, until) values ($1, to_timestamp($2::float8 / 1000)) on conflict do nothing`,
    values: [id, untilMs],
  });
}
