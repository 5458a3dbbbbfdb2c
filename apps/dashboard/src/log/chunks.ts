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
 * when others come above, below or between; a chunk that nothing came into is the same object as before. From the first
 * chunk on in which an event is gone, all are made anew.
 */
export function chunksOf(events: readonly DeploymentEvent[], known: readonly Chunk[]): readonly Chunk[] {
  const ids = new Set(events.map(({ id }) => id));
  const broken = known.findIndex((chunk) => chunk.events.some(({ id }) => !ids.has(id)));
  const before = broken < 0 ? known : known.slice(0, broken);
  const keys = new Map(before.flatMap(({ key, events: inside }) => inside.map(({ id }) => [id, key] as const)));
  const top = events.findIndex(({ id }) => keys.has(id));
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
