import type { DeploymentEvent } from '@shiplog/contract';

/** Neighbouring rows that are drawn or left out together. */
export interface Chunk {
  readonly key: string;
  readonly events: readonly DeploymentEvent[];
}

/** Rows of a chunk; late events that belong between others may make one longer. */
const rowsMax = 25;

/**
 * The events in chunks. An event stays in the chunk that it came into, so that no row is made anew (and loses the focus)
 * when others come above, below or between; a chunk that nothing came into is the same object as before. Where an event
 * of `before` is gone, all chunks are made anew.
 */
export function chunksOf(events: readonly DeploymentEvent[], before: readonly Chunk[]): readonly Chunk[] {
  const keys = new Map(before.flatMap(({ key, events: known }) => known.map(({ id }) => [id, key] as const)));
  const top = events.findIndex(({ id }) => keys.has(id));
  const kept = events.filter(({ id }) => keys.has(id)).length;
  if (kept < keys.size) return chunksOf(events, []);
  const chunks: { key: string; events: DeploymentEvent[] }[] = [];
  // From the oldest up: what is new stands with the older one under it, while there is room or more of that chunk above.
  for (const [index, event] of [...events.entries()].reverse()) {
    const chunk = chunks.at(-1);
    const isFree = chunk !== undefined && (chunk.events.length < rowsMax || (index > top && keys.has(chunk.key)));
    const key = keys.get(event.id) ?? (isFree ? chunk.key : event.id);
    if (chunk?.key === key) chunk.events.push(event);
    else chunks.push({ key, events: [event] });
  }
  const old = new Map(before.map((chunk) => [chunk.key, chunk]));
  return chunks.reverse().map((chunk) => {
    const same = old.get(chunk.key);
    return same?.events.length === chunk.events.length ? same : { key: chunk.key, events: chunk.events.reverse() };
  });
}
