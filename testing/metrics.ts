/** The metrics of a service that tests look at, each as it begins its line. */
const lines = {
  /** How many deployment streams are open. */
  openStreams: 'shiplog_stream_connections{stream="deployments"}',
  /** How many pages of the deployment log were read for streams. */
  pagesRead: 'shiplog_stream_log_reads_total{stream="deployments"}',
  /** How many answers a standby gave what they are made of. */
  standbyReads: 'shiplog_reads_total{place="standby"}',
  /** How many events an instance has removed for their age. */
  prunedEvents: 'shiplog_pruned_events_total',
  /** How many events it refused to remove. */
  pruneRefused: 'shiplog_prune_refused_events',
  /** How much memory the process holds, its heap, and its buffers beside the heap. */
  residentBytes: 'process_resident_memory_bytes',
  heapBytes: 'nodejs_heap_size_used_bytes',
  externalBytes: 'nodejs_external_memory_bytes',
  /** How many versions of the catalog's file were refused. */
  catalogFaults: 'shiplog_catalog_faults_total',
  /** How many files and connections the process has open. */
  openFiles: 'process_open_fds',
} as const;

/** The figures of a service at this moment; 0 where there is none yet. */
export async function metricsOf(url: string): Promise<Readonly<Record<keyof typeof lines, number>>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const figures = new Map(text.split('\n').map((line) => [line.slice(0, line.lastIndexOf(' ')), line] as const));
  const figure = (name: string) => Number(figures.get(name)?.slice(name.length) ?? 0);
  return Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, figure(line)])) as never;
}
