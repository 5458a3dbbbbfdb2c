import type { Logger } from 'pino';
import type { ServiceMetrics } from '../metrics.ts';
import { oneRow, type Queries } from './database.ts';

interface Facts {
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly standbys: string;
  readonly followers: number;
  readonly unlogged: string[];
}

/**
 * One sentence per server setting that can cause the loss of an event after its 201. `synchronous_commit = off` needs
 * no sentence, because the service's sessions override it.
 */
export async function durabilityWarnings(queries: Queries): Promise<string[]> {
  const facts = await oneRow<Facts>(queries, {
    text: `
      select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
        current_setting('synchronous_commit') as synchronous_commit,
        current_setting('synchronous_standby_names') as standbys,
        (select count(*) from pg_stat_replication where state is distinct from 'backup')::int as followers,
        array(select relname::text from pg_class
          where relnamespace = current_schema::regnamespace and relkind = 'r' and relpersistence = 'u'
          order by 1) as unlogged`,
  });
  const warnings: string[] = [];
  const warn = (isUnsafe: boolean, sentence: string) => isUnsafe && warnings.push(sentence);
  warn(
    facts.fsync === 'off',
    'the database server has fsync = off: a crash of its machine can lose events that were answered with 201; set fsync = on and restart it',
  );
  warn(
    facts.full_page_writes === 'off',
    'the database server has full_page_writes = off: a crash of its machine can leave broken pages; set full_page_writes = on unless its file system writes whole pages',
  );
  warn(
    facts.standbys !== '' && ['local', 'remote_write'].includes(facts.synchronous_commit),
    `the database server has synchronous standbys but synchronous_commit = ${facts.synchronous_commit}: a failover can lose events that were answered with 201; set synchronous_commit = on`,
  );
  warn(
    facts.standbys === '' && facts.followers > 0,
    "the database server has standbys, but synchronous_standby_names is empty: a failover can lose events that were answered with 201; list them there, or let the cluster do it (Patroni's synchronous_mode)",
  );
  for (const table of facts.unlogged) {
    warnings.push(`the table ${table} is unlogged: a server crash empties it; run: alter table ${table} set logged`);
  }
  return warnings;
}

interface DurabilityWatchOptions {
  readonly queries: Queries;
  readonly metrics: ServiceMetrics;
  readonly logger: Logger;
}

/**
 * Checks whether the server settings protect acknowledged events, at the start and after a possible change of server.
 */
export class DurabilityWatch {
  readonly #options: DurabilityWatchOptions;
  #known: readonly string[] = [];
  #judging: Promise<void> | undefined;

  constructor(options: DurabilityWatchOptions) {
    this.#options = options;
  }

  /** Logs new warnings. Rejects if the database does not respond. */
  judge(): Promise<void> {
    this.#judging ??= this.#judge().finally(() => {
      this.#judging = undefined;
    });
    return this.#judging;
  }

  async #judge(): Promise<void> {
    const { queries, metrics, logger } = this.#options;
    const warnings = await durabilityWarnings(queries);
    metrics.unsafeSettings.set(warnings.length);
    for (const warning of warnings) if (!this.#known.includes(warning)) logger.warn(warning);
    this.#known = warnings;
  }
}
