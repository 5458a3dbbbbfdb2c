import { setTimeout as delay } from 'node:timers/promises';
import { signalTo } from '@shiplog/testing/process-table';
import type { Fault } from '../injector.ts';
import { requestReset } from './clients.ts';

const resetStepsMs = 1200;
const goneMs = { min: 100, max: 2000 };
/** How long it takes until every server process has noticed that one was killed. */
const crashMs = 100;
/** The folds take a step five times a second while events arrive. */
const attemptsMax = 200;
const attemptMs = 10;

/** Faults that kill or restart processes. */
export const processFaults: readonly Fault[] = [
  {
    kind: 'kill -9 of an instance',
    begin: async ({ killable }, dice) => {
      const instance = dice.one(killable);
      await instance.kill();
      return { holdMs: 0, mend: () => instance.start() };
    },
  },
  {
    kind: 'kill -9 of an instance during a reset',
    begin: async ({ killable, history }, dice) => {
      const instance = dice.one(killable);
      await requestReset(instance, history);
      // The reset drains for a second. After that, any instance may clear the log.
      await delay(dice.between(0, resetStepsMs));
      await instance.kill();
      return { holdMs: 0, mend: () => instance.start() };
    },
  },
  {
    kind: 'restart of an instance',
    begin: async ({ killable, history }, dice) => {
      const instance = dice.one(killable);
      return {
        holdMs: 0,
        mend: async () => {
          const failure = await instance.terminate();
          if (failure) history.violated('process', `${instance.name} ended after SIGTERM with ${failure}`);
          await instance.start();
        },
      };
    },
  },
  {
    kind: 'kill -9 of PostgreSQL',
    begin: async ({ database, instances }, dice) => {
      await database.kill();
      const holdMs = dice.between(goneMs.min, goneMs.max);
      return { holdMs, severed: instances, mend: () => database.start() };
    },
  },
  {
    kind: 'kill -9 of one PostgreSQL process',
    begin: async ({ database }, dice) => {
      const backends = await database.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name like 'shiplog%'`,
      );
      if (backends.length > 0) signalTo(dice.one(backends).pid, 'SIGKILL');
      // The server ends all its other processes and restarts automatically.
      return { holdMs: crashMs, mend: async () => undefined };
    },
  },
  {
    kind: 'end of the connection during a fold step',
    begin: async ({ database }) => {
      const end = `
        select pg_terminate_backend(pid) from pg_locks
        where relation = 'folds'::regclass and mode = 'RowShareLock' and granted`;
      for (let attempt = 0; (await database.query(end)).length === 0 && attempt < attemptsMax; attempt += 1) {
        await delay(attemptMs);
      }
      return { holdMs: 0, mend: async () => undefined };
    },
  },
];
