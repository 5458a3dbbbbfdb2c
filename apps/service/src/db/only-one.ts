import type { Session } from './database.ts';

/** Runs the work unless another instance is running work with the same key. The lock ends with the session. */
export async function asOnlyOne(session: Session, key: number, work: () => Promise<void>): Promise<void> {
  const [row] = await session.query<{ locked: boolean }>({
    text: 'select pg_try_advisory_lock($1) as locked',
    values: [key],
  });
  if (!row?.locked) return;
  await work();
  await session.query({ text: 'select pg_advisory_unlock($1)', values: [key] });
}
