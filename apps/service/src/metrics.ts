import { setTimeout as pause } from 'node:timers/promises';
import { HttpMetrics } from '@shiplog/server';
import { Counter, Gauge, Histogram } from 'prom-client';

const logWaitMs = 1000;

/** Read from the database whenever the metrics are. */
export interface LogGauges {
  readonly slots: number;
  /** The time of the folds' position, in seconds since the Unix epoch. */
  readonly foldPosition: number;
  /** The age of the oldest event that the folds don't have, in seconds; 0 if they have all. */
  readonly foldLag: number;
  /** How many events the folds don't have. */
  readonly foldLagEvents: number;
}

/** The metrics of the service, except those of HTTP. */
export class ServiceMetrics {
  readonly http = new HttpMetrics();
  readonly batchRows = this.#histogram(
    'shiplog_append_batch_rows',
    'Events per committed batch.',
    [1, 2, 5, 10, 25, 50, 100, 250, 500],
  );
  readonly batchSeconds = this.#histogram(
    'shiplog_append_batch_seconds',
    'Time from sending a batch to its commit.',
    [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  );
  readonly frameLagSeconds = this.#histogram(
    'shiplog_ingest_to_frame_seconds',
    "Time from assigning an event's id in the database to handing it to the live connections, by stream.",
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    'stream',
  );
  readonly streamConnections = this.#gauge(
    'shiplog_stream_connections',
    'Open event stream connections, by stream.',
    'stream',
  );
  readonly replayedPages = this.#counter(
    'shiplog_stream_replayed_pages_total',
    'Pages read from a log for connections that were behind its head, by stream.',
    'stream',
  );
  readonly logReads = this.#counter(
    'shiplog_stream_log_reads_total',
    'Reads of a log for live and catching-up connections, by stream. None while there are no connections.',
    'stream',
  );
  readonly readFailures = this.#counter(
    'shiplog_stream_read_failures_total',
    'Failed reads of a log, by stream. They are retried.',
    'stream',
  );
  readonly prunedEvents = this.#counter(
    'shiplog_pruned_events_total',
    'Events removed because they were older than the retention period.',
  );
  readonly pruneCompleted = this.#gauge(
    'shiplog_prune_completed_timestamp_seconds',
    'Unix time at which this instance last completed a pruning; 0 if it never has.',
  );
  readonly purgedRows = this.#counter(
    'shiplog_purged_rows_total',
    'Control frames and component events removed because they were too old to replay, by log.',
    'log',
  );
  readonly resetSteps = this.#counter(
    'shiplog_reset_steps_total',
    'Reset steps that this instance completed, by event.',
    'event',
  );
  readonly catalogInfo = this.#gauge(
    'shiplog_catalog_info',
    '1 for the catalog version in use, by the SHA-256 of its file.',
    'digest',
  );
  readonly catalogFaults = this.#counter('shiplog_catalog_faults_total', 'Catalog versions that could not be loaded.');
  readonly accessInfo = this.#gauge(
    'shiplog_access_info',
    '1 for the version of the access file in use, by the SHA-256 of its content.',
    'digest',
  );
  readonly accessFaults = this.#counter(
    'shiplog_access_faults_total',
    'Versions of the access file that could not be loaded.',
  );
  /** Called whenever the metrics are read. */
  oldestPostSeconds: () => number = () => 0;
  readonly oldestPost: Gauge = new Gauge({
    name: 'shiplog_append_oldest_seconds',
    help: 'How long the oldest unanswered post has been waiting; 0 if none is waiting.',
    registers: [this.http.registry],
    collect: () => this.oldestPost.set(this.oldestPostSeconds()),
  });
  /** Called whenever the metrics are read. */
  readLog: () => Promise<LogGauges> = async () => ({ slots: 0, foldPosition: 0, foldLag: 0, foldLagEvents: 0 });
  #logRead: Promise<void> | undefined;
  readonly slots = this.#logGauge(
    'shiplog_slots',
    'Slots (a service in an environment) in the log; the last known number while the database is unreachable.',
  );
  readonly slotsMax = this.#gauge('shiplog_slots_max', 'Maximum number of slots in the log (SLOTS_MAX).');
  readonly pruneRefused = this.#gauge(
    'shiplog_prune_refused_events',
    'Events that this instance will not prune until PRUNE_CONFIRM confirms the pruning; 0 if none.',
  );
  readonly rewinds = this.#counter(
    'shiplog_log_rewinds_total',
    'How often this instance found that events were missing that it had already acknowledged or sent.',
  );
  readonly foldSeconds = this.#histogram(
    'shiplog_fold_step_seconds',
    'Time of a step that added events to the folds.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  );
  readonly foldRows = this.#counter('shiplog_fold_rows_total', 'Events that this instance added to the folds.');
  readonly foldPosition = this.#logGauge(
    'shiplog_fold_position',
    'Unix time up to which the folds include the log; unchanged while nothing happens.',
  );
  readonly foldLag = this.#logGauge(
    'shiplog_fold_lag_seconds',
    'Age of the oldest event that the folds do not have yet; 0 if they have all.',
  );
  readonly foldLagEvents = this.#logGauge(
    'shiplog_fold_lag_events',
    'Events that the folds do not have yet; values above 100000 are estimates.',
  );
  readonly foldTimeouts = this.#counter(
    'shiplog_fold_timeouts_total',
    'Reads refused because the folds did not reach the end of the log in time.',
  );
  readonly unsafeSettings = this.#gauge(
    'shiplog_database_unsafe_settings',
    'Database server settings that can cause acknowledged events to be lost, as checked when the listener attached.',
  );
  readonly reads = this.#counter(
    'shiplog_reads_total',
    'Reads that a standby can serve, by the server that did (standby or primary). Not counted without standbys.',
    'place',
  );
  readonly readFallbacks = this.#counter(
    'shiplog_read_fallbacks_total',
    'Reads served by the primary because no standby could, by reason.',
    'reason',
  );
  readonly readLagSeconds = this.#gauge(
    'shiplog_read_lag_seconds',
    'Age of the first event missing on a standby, by standby; 0 if none is missing.',
    'standby',
  );
  readonly readLagEvents = this.#gauge(
    'shiplog_read_lag_events',
    'Events missing on a standby, counted up to 10000, by standby.',
    'standby',
  );
  readonly standbyUsable = this.#gauge(
    'shiplog_read_standby_usable',
    '1 while a standby responds and follows the primary, else 0, by standby.',
    'standby',
  );
  readonly listenerAttached = this.#gauge(
    'shiplog_listener_attached',
    '1 while the notification channels are attached, else 0.',
  );

  #counter<Label extends string = never>(name: string, help: string, ...labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.http.registry] });
  }

  #gauge<Label extends string = never>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.http.registry] });
  }

  #logGauge(name: string, help: string): Gauge {
    const collect = () => {
      this.#logRead ??= this.#refreshLog();
      return this.#logRead;
    };
    return new Gauge({ name, help, registers: [this.http.registry], collect });
  }

  #histogram<Label extends string = never>(name: string, help: string, buckets: number[], ...labelNames: Label[]) {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.http.registry] });
  }

  /** A database that does not respond must not delay the other metrics. Concurrent scrapes share a read. */
  #refreshLog(): Promise<void> {
    const read = this.readLog()
      .then(({ slots, foldPosition, foldLag, foldLagEvents }) => {
        this.slots.set(slots);
        this.foldPosition.set(foldPosition);
        this.foldLag.set(foldLag);
        this.foldLagEvents.set(foldLagEvents);
      })
      .catch(() => undefined)
      .finally(() => {
        this.#logRead = undefined;
      });
    return Promise.race([read, pause(logWaitMs, undefined, { ref: false })]);
  }
}
