/** The text of a frame: `id`, `event` and `data` lines and one blank line (§6, reading 6.5). */
export function frameText(frame: { readonly id?: string; readonly event: string; readonly data: string }): string {
  const id = frame.id === undefined ? '' : `id: ${frame.id}\n`;
  return `${id}event: ${frame.event}\ndata: ${frame.data}\n\n`;
}

/** What every stream begins with: how long a client waits before it comes back. */
export function retryText(reconnectMs: number): string {
  return `retry: ${reconnectMs}\n\n`;
}

/** The heartbeat comment (§6). */
export const pingText = ': ping\n\n';
