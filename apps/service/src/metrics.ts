import { setTimeout as passed } from 'node:timers/promises';
import { HttpMetrics } from '@shiplog/server';
import { Counter, Gauge, Histogram } from 'prom-client';

/** How long to wait for the number of slots. */
const slotsWaitMs = 1000;

/** The metrics of the service besides those of HTTP. All have the prefix `shiplog_`. */
export class ServiceMetrics {
  readonly http = new HttpMetrics();
  readonly batchRows = new Histogram({
    name: 'shiplog_append_batch_rows',
    help: 'Events per committed batch.',
    buckets: [1, 2, 5, 10, 25, 50, 100, 250, 500],
    registers: [this.http.registry],
  });
  readonly batchSeconds = new Histogram({
    name: 'shiplog_append_batch_seconds',
    help: 'Time from sending a batch to its commit.',
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [this.http.registry],
  });
  readonly frameLagSeconds = new Histogram({
    name: 'shiplog_ingest_to_frame_seconds',
    help: "Time from assigning an event's id in the database to handing it to the live connections, by stream.",
    labelNames: ['stream'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [this.http.registry],
  });
  readonly streamConnections = new Gauge({
    name: 'shiplog_stream_connections',
    help: 'Open event stream connections, by stream.',
    labelNames: ['stream'],
    registers: [this.http.registry],
  });
  readonly replayedPages = new Counter({
    name: 'shiplog_stream_replayed_pages_total',
    help: 'Pages read from a log for connections that were behind its head, by stream.',
    labelNames: ['stream'],
    registers: [this.http.registry],
  });
  readonly logReads = new Counter({
    name: 'shiplog_stream_log_reads_total',
    help: 'Reads of a log for live and catching-up connections, by stream. None while there are no connections.',
    labelNames: ['stream'],
    registers: [this.http.registry],
  });
  readonly readFailures = new Counter({
    name: 'shiplog_stream_read_failures_total',
    help: 'Failed reads of a log, by stream. They are retried.',
    labelNames: ['stream'],
    registers: [this.http.registry],
  });
  readonly prunedEvents = new Counter({
    name: 'shiplog_pruned_events_total',
    help: 'Events removed because they were older than the retention.',
    registers: [this.http.registry],
  });
  readonly pruneCompleted = new Gauge({
    name: 'shiplog_prune_completed_timestamp_seconds',
    help: 'Unix time at which this instance last completed a pruning; 0 if it never has.',
    registers: [this.http.registry],
  });
  readonly purgedRows = new Counter({
    name: 'shiplog_purged_rows_total',
    help: 'Control frames and component events removed because they were too old to replay, by log.',
    labelNames: ['log'],
    registers: [this.http.registry],
  });
  readonly resetSteps = new Counter({
    name: 'shiplog_reset_steps_total',
    help: 'Reset steps that this instance completed, by event.',
    labelNames: ['event'],
    registers: [this.http.registry],
  });
  readonly catalogInfo = new Gauge({
    name: 'shiplog_catalog_info',
    help: '1 for the catalog version in use, by the SHA-256 of its file.',
    labelNames: ['digest'],
    registers: [this.http.registry],
  });
  readonly catalogFaults = new Counter({
    name: 'shiplog_catalog_faults_total',
    help: 'Catalog versions that could not be loaded.',
    registers: [this.http.registry],
  });
  /** Called whenever the metrics are read. */
  oldestPostSeconds: () => number = () => 0;
  readonly oldestPost: Gauge = new Gauge({
    name: 'shiplog_append_oldest_seconds',
    help: 'How long the oldest unanswered post has been waiting; 0 if none is waiting.',
    registers: [this.http.registry],
    collect: () => this.oldestPost.set(this.oldestPostSeconds()),
  });
  /** Called whenever the metrics are read. */
  readSlots: () => Promise<number> = async () => 0;
  #slotsRead: Promise<void> | undefined;
  readonly slots: Gauge = new Gauge({
    name: 'shiplog_slots',
    help: 'Slots (a service in an environment) in the log; the last known number while the database is unreachable.',
    registers: [this.http.registry],
    collect: () => {
      this.#slotsRead ??= this.#readSlotsAWhile();
      return this.#slotsRead;
    },
  });
  readonly slotsMax = new Gauge({
    name: 'shiplog_slots_max',
    help: 'Maximum number of slots in the log (SLOTS_MAX).',
    registers: [this.http.registry],
  });
  readonly pruneRefused = new Gauge({
    name: 'shiplog_prune_refused_events',
    help: 'Events that this instance refused to prune until PRUNE_CONFIRM confirms it; 0 if none.',
    registers: [this.http.registry],
  });
  readonly rewinds = new Counter({
    name: 'shiplog_log_rewinds_total',
    help: 'Times that this instance found events missing that it had already answered or sent.',
    registers: [this.http.registry],
  });
  readonly unsafeSettings = new Gauge({
    name: 'shiplog_database_unsafe_settings',
    help: 'Database server settings with which answered events can be lost, as checked when the listener attached.',
    registers: [this.http.registry],
  });
  readonly reads = new Counter({
    name: 'shiplog_reads_total',
    help: 'Reads that a standby can serve, by the server that did (standby or primary). Not counted without standbys.',
    labelNames: ['place'],
    registers: [this.http.registry],
  });
  readonly readFallbacks = new Counter({
    name: 'shiplog_read_fallbacks_total',
    help: 'Reads served by the primary because no standby could, by reason.',
    labelNames: ['reason'],
    registers: [this.http.registry],
  });
  readonly readLagSeconds = new Gauge({
    name: 'shiplog_read_lag_seconds',
    help: 'Age of the first event missing on a standby, by standby; 0 if none is missing.',
    labelNames: ['standby'],
    registers: [this.http.registry],
  });
  readonly readLagEvents = new Gauge({
    name: 'shiplog_read_lag_events',
    help: 'Events missing on a standby, counted up to 10000, by standby.',
    labelNames: ['standby'],
    registers: [this.http.registry],
  });
  readonly standbyUsable = new Gauge({
    name: 'shiplog_read_standby_usable',
    help: '1 while a standby answers and follows the primary, else 0, by standby.',
    labelNames: ['standby'],
    registers: [this.http.registry],
  });
  readonly listenerAttached = new Gauge({
    name: 'shiplog_listener_attached',
    help: '1 while the notification channels are attached, else 0.',
    registers: [this.http.registry],
  });

  /**
   * A database that does not answer must not delay the other metrics: each read is awaited only for a limited time, and
   * concurrent scrapes share it.
   */
  #readSlotsAWhile(): Promise<void> {
    const read = this.readSlots()
      .then((slots) => this.slots.set(slots))
      .catch(() => undefined)
      .finally(() => {
        this.#slotsRead = undefined;
      });
    return Promise.race([read, passed(slotsWaitMs, undefined, { ref: false })]);
  }
}
