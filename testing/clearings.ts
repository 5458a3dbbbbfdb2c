import { runSql } from './database.ts';

/** How resets cleared the log, as recorded by the database itself. */
export interface ClearingFacts {
  /** The greatest id that each completed reset cleared, in order; `undefined` if the log was empty. */
  readonly completed: readonly { readonly frameId: string; readonly lastId: string | undefined }[];
  /** How many times the log was cleared without a `reset-completed` frame in the same transaction. */
  readonly untold: number;
}

/**
 * Makes the database record the greatest id that each reset removes, in the same transaction that removes the rows.
 * That transaction must also store the `reset-completed` frame. A failed attempt records nothing.
 */
export async function witnessClearings(url: string): Promise<void> {
  await runSql(
    url,
    `create table clearings (transaction xid not null, last_id uuid not null);
     create function find_last() returns trigger language plpgsql as $$
       begin
         perform set_config('tests.last_id', coalesce((select id::text from deployments order by id desc limit 1), ''), true);
         return null;
       end $$;
     create function witness_clearing() returns trigger language plpgsql as $$
       begin
         if current_setting('tests.last_id') <> '' and not exists (select from deployments) then
           insert into clearings values (pg_current_xact_id()::xid, current_setting('tests.last_id')::uuid);
         end if;
         return null;
       end $$;
     create trigger find_last before delete on deployments execute function find_last();
     create trigger witness after delete on deployments execute function witness_clearing()`,
  );
}

export async function readClearings(url: string): Promise<ClearingFacts> {
  const completed = await runSql<{ frameId: string; lastId: string | null }>(
    url,
    `select frame.id as "frameId", clearings.last_id as "lastId"
     from control_frames frame left join clearings on clearings.transaction = frame.xmin
     where frame.type = 'reset-completed' order by frame.id`,
  );
  const [untold] = await runSql<{ count: number }>(
    url,
    `select count(*)::int as count from clearings
     where transaction not in (select xmin from control_frames where type = 'reset-completed')`,
  );
  return {
    completed: completed.map(({ frameId, lastId }) => ({ frameId, lastId: lastId ?? undefined })),
    untold: untold?.count ?? 0,
  };
}

/** For each completed reset, the greatest id that any reset had cleared by its end. */
export function clearingIds({ completed }: ClearingFacts): string[] {
  const ids: string[] = [];
  for (const { lastId } of completed) ids.push(lastId ?? ids.at(-1) ?? '');
  return ids;
}
