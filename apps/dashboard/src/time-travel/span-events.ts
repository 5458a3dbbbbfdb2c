import type { Client } from '@shiplog/client';
import { type DeploymentEvent, limits } from '@shiplog/contract';
import { pagesOf } from '../live/request.ts';
import { type Direction, stepAmong } from './steps.ts';

export interface SpanEvents {
  readonly events: readonly DeploymentEvent[];
  /** Whether the span has older events that were not read. At most `spanEventsMax` events are read. */
  readonly isCut: boolean;
}

/** Times in the form that the listing accepts: `since` is inclusive, `until` exclusive. */
type Span = { readonly since?: string; readonly until?: string };

const pagesMax = 4;
export const spanEventsMax = pagesMax * limits.pageSizeMax;

/** The newest events of a span. Rejects like the calls of the client. */
export async function readSpan(client: Client, span: Span, signal?: AbortSignal): Promise<SpanEvents> {
  const events: DeploymentEvent[] = [];
  const query = { ...span, limit: limits.pageSizeMax };
  const ask = (from: object) => client.listDeployments({ query: { ...query, ...from }, ...(signal && { signal }) });
  let isCut = false;
  for await (const { items, next_cursor } of pagesOf(ask, pagesMax)) {
    events.push(...items);
    isCut = next_cursor !== null;
  }
  return { events, isCut };
}

const firstSpanMs = 15_000;
const spanMsMin = 1000;

/**
 * Finds the time of the nearest matching event, either among the `spanEventsMax` events before a time or between that
 * time and now. The listing is always newest first, so this function reads later spans, which grow until one has it.
 */
export async function nearestEvent(
  client: Client,
  from: string,
  direction: Direction,
  wants: (event: DeploymentEvent) => boolean,
  presentMs: number,
): Promise<string | undefined> {
  if (direction === 'before') {
    const { events } = await readSpan(client, { until: from });
    return stepAmong(events.filter(wants), from, 'before');
  }
  let since = from;
  for (let spanMs = firstSpanMs; ; ) {
    const untilMs = Date.parse(since) + spanMs;
    const until = new Date(untilMs).toISOString();
    const { events, isCut } = await readSpan(client, { since, until });
    if (isCut && spanMs > spanMsMin) {
      spanMs /= 4;
      continue;
    }
    const found = stepAmong(events.filter(wants), from, 'after');
    if (found !== undefined || untilMs > presentMs) return found;
    since = until;
    spanMs *= 4;
  }
}
