/**
 * The settings of the server: defaults that the caller may change, and those that the supervisor relies on.
 *
 * log_min_messages: "log" ranks above "error", so failed statements are not logged; this keeps the file small, which
 * nobody rotates. lc_messages: error messages of the supervisor quote the log.
 */
export function serverSettings(
  chosen: Record<string, string>,
  fixed: { clusterName: string; socketDir: string; port: number },
): Record<string, string> {
  return {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...chosen,
    lc_messages: 'C',
    logging_collector: 'off',
    log_destination: 'stderr',
    listen_addresses: '',
    port: String(fixed.port),
    unix_socket_directories: fixed.socketDir,
    unix_socket_permissions: '0700',
    cluster_name: fixed.clusterName,
  };
}
