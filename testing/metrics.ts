/** The service's metrics that tests read, each given as the beginning of its line. */
const lines = {
  /** The number of open deployment streams. */
  openStreams: 'shiplog_stream_connections{stream="deployments"}',
  /** The number of pages of the deployment log that were read for streams. */
  pagesRead: 'shiplog_stream_log_reads_total{stream="deployments"}',
  /** The number of responses that were read from a standby. */
  standbyReads: 'shiplog_reads_total{place="standby"}',
  /** The number of events that an instance removed because of their age. */
  prunedEvents: 'shiplog_pruned_events_total',
  /** The number of events that an instance did not remove although they were due. */
  pruneRefused: 'shiplog_prune_refused_events',
  /** The memory of the process, its heap, and its buffers outside the heap. */
  residentBytes: 'process_resident_memory_bytes',
  heapBytes: 'nodejs_heap_size_used_bytes',
  externalBytes: 'nodejs_external_memory_bytes',
  /** The number of rejected versions of the catalog file. */
  catalogFaults: 'shiplog_catalog_faults_total',
  /** The number of files and connections that the process has open. */
  openFiles: 'process_open_fds',
} as const;

/** The current values of a service's metrics; 0 for a metric without a value. */
export async function metricsOf(url: string): Promise<Readonly<Record<keyof typeof lines, number>>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const figures = new Map(text.split('\n').map((line) => [line.slice(0, line.lastIndexOf(' ')), line] as const));
  const figure = (name: string) => Number(figures.get(name)?.slice(name.length) ?? 0);
  return Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, figure(line)])) as never;
}
