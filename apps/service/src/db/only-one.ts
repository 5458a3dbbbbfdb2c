import type { Session } from './database.ts';

/**
 * Runs the work if no other instance does work under this key now. The lock belongs to the session, so it is free again
 * as soon as an instance that held it is gone.
 */
export async function asOnlyOne(session: Session, key: number, work: () => Promise<void>): Promise<void> {
  const [row] = await session.query<{ locked: boolean }>({ text: 'select pg_try_advisory_lock($1) as locked' }, [key]);
  if (!row?.locked) return;
  await work();
  await session.query({ text: 'select pg_advisory_unlock($1)' }, [key]);
}
