import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { connectionsMax, type DatabaseServer } from '../database-server.ts';
import type { Fault } from '../injector.ts';

const refusedMs = { min: 300, max: 2500 };
const shortStallMs = { min: 300, max: 2500 };
/** Longer than the statement timeout. */
const longStallMs = 6500;
/** Long enough that frames that depend on a notification are late. */
const lostNoticesMs = 7500;
/**
 * How long readers need to leave an instance. A reader that connects or catches up would cause a read that sends frames
 * to all readers.
 */
const quietMs = 500;
const crowdedMs = 2500;
const crowdEveryMs = 20;

/** Network faults between instances and their database. */
export const networkFaults: readonly Fault[] = [
  {
    kind: 'connections of an instance cut',
    begin: async ({ instances }, dice) => {
      dice.one(instances).proxy.cut();
      return { holdMs: 0, mend: async () => undefined };
    },
  },
  {
    kind: 'database refuses an instance',
    begin: async ({ instances }, dice) => {
      const instance = dice.one(instances);
      instance.proxy.way = 'refused';
      return {
        holdMs: dice.between(refusedMs.min, refusedMs.max),
        severed: [instance],
        mend: async () => {
          instance.proxy.way = 'open';
        },
      };
    },
  },
  {
    kind: 'connections stalled',
    begin: async ({ instances }, dice) => {
      const some = dice.shuffled(instances).slice(0, dice.between(1, instances.length));
      for (const { proxy } of some) proxy.way = 'silent';
      return {
        holdMs: dice.between(1, 3) === 1 ? longStallMs : dice.between(shortStallMs.min, shortStallMs.max),
        severed: some,
        mend: async () => {
          for (const { proxy } of some) proxy.way = 'open';
        },
      };
    },
  },
  {
    kind: 'notices lost',
    begin: async ({ instances }, dice) => {
      const instance = dice.one(instances);
      instance.quiet = true;
      await delay(quietMs);
      instance.deaf = true;
      return {
        holdMs: lostNoticesMs,
        harmless: true,
        mend: async () => {
          instance.deaf = false;
          instance.quiet = false;
        },
      };
    },
  },
  {
    kind: 'listeners ended',
    begin: async ({ database }) => {
      await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'shiplog listener'`,
      );
      return { holdMs: 0, mend: async () => undefined };
    },
  },
  {
    kind: 'connection limit reached',
    begin: async ({ database, instances }) => {
      const crowd = new Crowd(database);
      await crowd.full();
      for (const { proxy } of instances) proxy.cut();
      return { holdMs: crowdedMs, mend: () => crowd.leave() };
    },
  },
];

/** Opens connections that occupy every slot of a server, including slots that are freed later. */
class Crowd {
  readonly #database: DatabaseServer;
  readonly #clients: pg.Client[] = [];
  readonly #ended: Promise<void>;
  #refused = () => {};
  #leaving = false;

  constructor(database: DatabaseServer) {
    this.#database = database;
    this.#ended = this.#push();
  }

  /** Resolves when no connection slot is free. */
  full(): Promise<void> {
    return new Promise((resolve) => {
      this.#refused = resolve;
    });
  }

  async leave(): Promise<void> {
    this.#leaving = true;
    await this.#ended;
    await Promise.all(this.#clients.map((client) => client.end().catch(() => undefined)));
  }

  async #push(): Promise<void> {
    while (!this.#leaving && this.#clients.length < connectionsMax) {
      const client = await this.#database.connect().catch(() => undefined);
      if (client) {
        this.#clients.push(client);
        continue;
      }
      this.#refused();
      await delay(crowdEveryMs);
    }
    this.#refused();
  }
}
