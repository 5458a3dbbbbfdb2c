import type { Stoppable } from '@shiplog/server';
import { Appender } from './appender.ts';
import { appendComponentEvents } from './db/component-events.ts';
import { DurabilityWatch } from './db/durability.ts';
import { isRefusal } from './db/errors.ts';
import { readLogGauges } from './db/log-mark.ts';
import type { ComponentReport } from './domain/component-report.ts';
import { Folding } from './folding.ts';
import { KnownEnd } from './known-end.ts';
import { overload, Posts } from './posts.ts';
import { RefusalCount } from './refused-posts.ts';
import { Retention } from './retention.ts';
import { type StartedDatabase, startDatabase } from './start-database.ts';
import type { PartOptions } from './times.ts';

/** The log in its database, and the parts that append rows and remove old rows. */
export interface ServiceLog extends StartedDatabase {
  readonly end: KnownEnd;
  readonly durability: DurabilityWatch;
  readonly posts: Posts;
  readonly reports: Appender<ComponentReport>;
  readonly refusals: RefusalCount;
  readonly retention: Retention;
  readonly folding: Folding;
}

/**
 * Opens the database and everything that writes to the log.
 * @throws StartError for anything that the user must correct.
 */
export async function openLog(options: PartOptions, parts: Stoppable[]): Promise<ServiceLog> {
  const { config, logger, metrics, times } = options;
  const started = await startDatabase(options, parts);
  const { database } = started;
  const { reads, writes } = database;
  const end = new KnownEnd({ reads, writes, metrics, logger });
  const posts = new Posts({ ...config, database, end, metrics });
  const reports = new Appender<ComponentReport>({
    append: (batch) => appendComponentEvents(writes, batch),
    isRefusal,
    overload,
  });
  const refusals = new RefusalCount({ writes, afterMs: times.refusalsMs, logger });
  const retention = new Retention({
    writes,
    retentionDays: config.historyRetentionDays,
    confirmed: config.pruneConfirm,
    times,
    metrics,
    logger,
  });
  const folding = new Folding({ connections: database.folds, times, metrics, logger });
  parts.push(folding, posts, { stop: () => reports.drained() }, refusals, retention);
  metrics.slotsMax.set(config.slotsMax);
  metrics.readLog = () => readLogGauges(database.probes);
  metrics.oldestPostSeconds = () => posts.health.oldestSeconds;
  const durability = new DurabilityWatch({ queries: database.appends, metrics, logger });
  return { ...started, end, durability, posts, reports, refusals, retention, folding };
}
