import type { DatabaseServer } from '../database-server.ts';
import type { Fault } from '../injector.ts';

const fullMs = { min: 1500, max: 4000 };

/** A full database disk. */
export const diskFaults: readonly Fault[] = [
  {
    kind: 'disk of the database full',
    begin: async ({ database }, dice) => {
      const { disk } = database;
      const holdMs = dice.between(fullMs.min, fullMs.max);
      if (!disk) return { holdMs, mend: await sayFull(database) };
      await disk.fill();
      return {
        holdMs,
        mend: async () => {
          disk.free();
          // A server that can't write its log stops, and may not be able to start until space is freed.
          await database.start();
        },
      };
    },
  },
];

/** If no file system can be mounted, makes every append fail with the error of a full disk. */
async function sayFull(database: DatabaseServer): Promise<() => Promise<void>> {
  await database.query(`
    create or replace function say_full() returns trigger language plpgsql as $$
      begin
        raise exception using errcode = 'disk_full', message = 'could not extend file: No space left on device';
      end $$;
    create or replace trigger say_full before insert on deployments execute function say_full()`);
  return async () => {
    await database.query('drop trigger say_full on deployments');
  };
}
