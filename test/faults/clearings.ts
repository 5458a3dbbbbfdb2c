import type { ClearingFacts } from './checks/resets.ts';
import type { DatabaseServer } from './database-server.ts';

/**
 * Has the database itself write down what each clearing found in the log: its greatest id, in the clearing's own
 * transaction, whose number the frame that tells of it has to carry too.
 */
export async function createWitness(database: DatabaseServer): Promise<void> {
  await database.query(`
    create table clearings (transaction xid not null, last_id uuid not null);
    create function find_last() returns trigger language plpgsql as $$
      begin
        perform set_config('faults.last_id', coalesce((select id::text from deployments order by id desc limit 1), ''), true);
        return null;
      end $$;
    create function witness_clearing() returns trigger language plpgsql as $$
      begin
        if current_setting('faults.last_id') <> '' and not exists (select from deployments) then
          insert into clearings values (pg_current_xact_id()::xid, current_setting('faults.last_id')::uuid);
        end if;
        return null;
      end $$;
    create trigger find_last before delete on deployments execute function find_last();
    create trigger witness after delete on deployments execute function witness_clearing()`);
}

export async function readClearings(database: DatabaseServer): Promise<ClearingFacts> {
  const completed = await database.query<{ frameId: string; lastId: string | null }>(
    `select frame.id as "frameId", clearings.last_id as "lastId"
     from control_frames frame left join clearings on clearings.transaction = frame.xmin
     where frame.type = 'reset-completed' order by frame.id`,
  );
  const [untold] = await database.query<{ count: number }>(
    `select count(*)::int as count from clearings
     where transaction not in (select xmin from control_frames where type = 'reset-completed')`,
  );
  return {
    completed: completed.map(({ frameId, lastId }) => ({ frameId, lastId: lastId ?? undefined })),
    untold: untold?.count ?? 0,
  };
}
