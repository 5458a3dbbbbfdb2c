/** One figure of a service's metrics; `undefined` where there is none yet. */
async function figure(url: string, name: RegExp): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = new RegExp(`^${name.source} (\\S+)$`, 'm').exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
}

/** How many deployment streams are open. */
export async function openStreams(url: string): Promise<number> {
  return (await figure(url, /shiplog_stream_connections\{stream="deployments"\}/)) ?? 0;
}

/** How many pages of the deployment log were read for streams. */
export async function pagesRead(url: string): Promise<number> {
  return (await figure(url, /shiplog_stream_log_reads_total\{stream="deployments"\}/)) ?? 0;
}

/** How much memory the process of a service holds. */
export async function residentBytes(url: string): Promise<number> {
  return (await figure(url, /process_resident_memory_bytes/)) ?? 0;
}

/** How many events an instance has removed for their age. */
export async function prunedEvents(url: string): Promise<number> {
  return (await figure(url, /shiplog_pruned_events_total/)) ?? 0;
}

/** How many files and connections the process of a service has open. */
export async function openFiles(url: string): Promise<number> {
  return (await figure(url, /process_open_fds/)) ?? 0;
}
