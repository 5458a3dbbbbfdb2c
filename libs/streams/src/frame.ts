import type { Entry } from './log.ts';

export interface FrameParts {
  readonly id?: string | undefined;
  readonly event: string;
  /** Must be a single line. */
  readonly data: string;
  /** Write the name before the id, as on the control stream. */
  readonly nameFirst?: boolean | undefined;
}

/** The text of a frame: `id`, `event` and `data` lines and one blank line (§6, reading 6.5). */
export function frameText({ id, event, data, nameFirst }: FrameParts): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  const eventLine = `event: ${event}\n`;
  return `${nameFirst ? eventLine + idLine : idLine + eventLine}data: ${data}\n\n`;
}

export function retryText(reconnectMs: number): string {
  return `retry: ${reconnectMs}\n\n`;
}

export const pingText = ': ping\n\n';

export function chunkOf(entries: readonly Entry[]): Buffer {
  return Buffer.from(entries.map((entry) => entry.frame).join(''));
}
