import type { Stoppable } from '@shiplog/server';
import type { Logger } from 'pino';
import type { ServiceMetrics } from '../metrics.ts';
import type { Connection } from './connection.ts';
import type { Queries } from './connections.ts';
import { type ReadKind, Standby, type StandbyTimes, type Unfit } from './standby.ts';

export interface StandbysOptions {
  readonly servers: readonly { readonly name: string; readonly connection: Connection }[];
  readonly primary: Queries;
  readonly times: StandbyTimes;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

/** The standbys that can be read instead of the primary. */
export class Standbys implements Stoppable {
  readonly all: readonly Standby[];
  #turn = 0;

  constructor({ servers, primary, times, metrics, logger }: StandbysOptions) {
    this.all = servers.map(({ name, connection }) => {
      const logVerdict = verdictLogger(name, logger);
      return new Standby({
        ...{ name, connection, primary, times },
        onVerdict: (verdict, error) => {
          metrics.standbyUsable.set({ standby: name }, verdict ? 0 : 1);
          logVerdict(verdict, error);
        },
        onLag: ({ events, seconds }) => {
          metrics.readLagEvents.set({ standby: name }, events);
          metrics.readLagSeconds.set({ standby: name }, seconds);
        },
      });
    });
  }

  /**
   * The usable standby with the fewest reads in progress, alternating among equals; or the reason why none is usable.
   */
  choose(kind: ReadKind): Standby | Unfit {
    this.#turn += 1;
    const inTurn = this.all.map((_, index) => this.all[(index + this.#turn) % this.all.length] as Standby);
    const [chosen] = inTurn
      .filter((standby) => !standby.unfitFor(kind))
      .sort((one, other) => one.running - other.running);
    return chosen ?? inTurn[0]?.unfitFor(kind) ?? 'lost';
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((standby) => standby.stop()));
  }
}

const sentences: Readonly<Partial<Record<Unfit, string>>> = {
  lost: 'a standby is unreachable; reading from the primary until it is back',
  failed: "a standby can't be read; reading from the primary until it can",
  'other-log': 'a server of READ_DATABASE_URL has a different log than the primary and is not used',
  'no-standby': 'a server of READ_DATABASE_URL is the primary and is not used as a standby',
};

/** Logs changes of the verdict. */
function verdictLogger(standby: string, logger: Logger) {
  let logged: Unfit | undefined;
  return (verdict: Unfit | undefined, error: unknown): void => {
    if (verdict === logged) return;
    logged = verdict;
    const sentence = verdict && sentences[verdict];
    if (!sentence) logger.info({ standby }, 'a standby is back in use');
    else if (verdict === 'no-standby') logger.info({ standby }, sentence);
    else logger.warn({ standby, ...(error !== undefined && { err: error }) }, sentence);
  };
}
