import { setTimeout as passed } from 'node:timers/promises';
import { HttpMetrics } from '@shiplog/server';
import { Counter, Gauge, Histogram } from 'prom-client';

/** How long a read of the number of slots is waited for. */
const slotsWaitMs = 1000;

/** What the service measures of itself, beyond its HTTP requests. All under the prefix `shiplog_`. */
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
    help: "Time from the making of an event's id in the database to its hand-over to the live connections, by stream.",
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
    help: 'Reads of a log for live connections and for those behind, by stream. None while nobody listens.',
    labelNames: ['stream'],
    registers: [this.http.registry],
  });
  readonly readFailures = new Counter({
    name: 'shiplog_stream_read_failures_total',
    help: 'Reads of a log that failed and were tried again, by stream.',
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
    help: 'When this instance last left nothing beyond the retention, in Unix time; 0 where it never did.',
    registers: [this.http.registry],
  });
  readonly purgedRows = new Counter({
    name: 'shiplog_purged_rows_total',
    help: 'Control frames and component events removed because they were too old to be replayed, by log.',
    labelNames: ['log'],
    registers: [this.http.registry],
  });
  readonly resetSteps = new Counter({
    name: 'shiplog_reset_steps_total',
    help: 'Steps of resets that this instance took, by what made them due.',
    labelNames: ['event'],
    registers: [this.http.registry],
  });
  readonly catalogInfo = new Gauge({
    name: 'shiplog_catalog_info',
    help: '1 for the version of the catalog that answers are made of, by the SHA-256 of its file.',
    labelNames: ['digest'],
    registers: [this.http.registry],
  });
  readonly catalogFaults = new Counter({
    name: 'shiplog_catalog_faults_total',
    help: 'Versions of the catalog that could not be taken.',
    registers: [this.http.registry],
  });
  /** Asked whenever the metrics are read. */
  oldestPostSeconds: () => number = () => 0;
  readonly oldestPost: Gauge = new Gauge({
    name: 'shiplog_append_oldest_seconds',
    help: 'How long the oldest post has waited that has no answer yet; 0 where none waits.',
    registers: [this.http.registry],
    collect: () => this.oldestPost.set(this.oldestPostSeconds()),
  });
  /** Asked whenever the metrics are read. */
  readSlots: () => Promise<number> = async () => 0;
  #slotsRead: Promise<void> | undefined;
  readonly slots: Gauge = new Gauge({
    name: 'shiplog_slots',
    help: 'Places, each a service in an environment, in the log; the last known number while the database is away.',
    registers: [this.http.registry],
    collect: () => {
      this.#slotsRead ??= this.#readSlotsAWhile();
      return this.#slotsRead;
    },
  });
  readonly slotsMax = new Gauge({
    name: 'shiplog_slots_max',
    help: 'Places that the log may have (SLOTS_MAX).',
    registers: [this.http.registry],
  });
  readonly pruneRefused = new Gauge({
    name: 'shiplog_prune_refused_events',
    help: 'Events that this instance refused to prune until PRUNE_CONFIRM confirms it; 0 where it refused none.',
    registers: [this.http.registry],
  });
  readonly rewinds = new Counter({
    name: 'shiplog_log_rewinds_total',
    help: 'Times that this instance found events gone from the log that it had answered or sent.',
    registers: [this.http.registry],
  });
  readonly unsafeSettings = new Gauge({
    name: 'shiplog_database_unsafe_settings',
    help: 'Settings of the database server under which answered events can be lost, as judged when the listener attached.',
    registers: [this.http.registry],
  });
  readonly reads = new Counter({
    name: 'shiplog_reads_total',
    help: 'Reads for answers that a standby can give, by the place that gave them; none are counted without standbys.',
    labelNames: ['place'],
    registers: [this.http.registry],
  });
  readonly readFallbacks = new Counter({
    name: 'shiplog_read_fallbacks_total',
    help: 'Reads that the primary gave because no standby could, by the reason.',
    labelNames: ['reason'],
    registers: [this.http.registry],
  });
  readonly readLagSeconds = new Gauge({
    name: 'shiplog_read_lag_seconds',
    help: 'Age of the first event that a standby lacks, by standby; 0 where it lacks none.',
    labelNames: ['standby'],
    registers: [this.http.registry],
  });
  readonly readLagEvents = new Gauge({
    name: 'shiplog_read_lag_events',
    help: 'Events that a standby lacks, counted up to 10000, by standby.',
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
   * A database that does not answer must not hold up all other metrics: a read is waited for a while from its beginning,
   * and whoever asks while it is under way begins no other one.
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
