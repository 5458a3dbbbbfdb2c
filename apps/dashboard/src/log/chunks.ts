import type { DeploymentEvent } from '@shiplog/contract';

/** Adjacent rows that are rendered or skipped together. */
export interface Chunk {
  readonly key: string;
  readonly events: readonly DeploymentEvent[];
}

/** The size of a chunk. Late events between other events may make a chunk longer. */
const rowsMax = 25;

/**
 * Divides the events into chunks. When more events arrive, a known event stays in its chunk, so that its row keeps the
 * focus, and an unchanged chunk stays the same object. If an event is gone, its chunk and all later ones are rebuilt.
 */
export function chunksOf(events: readonly DeploymentEvent[], known: readonly Chunk[]): readonly Chunk[] {
  const ids = new Set(events.map(({ id }) => id));
  const broken = known.findIndex((chunk) => chunk.events.some(({ id }) => !ids.has(id)));
  const before = broken < 0 ? known : known.slice(0, broken);
  const keys = new Map(before.flatMap(({ key, events: inside }) => inside.map(({ id }) => [id, key] as const)));
  const top = events.findIndex(({ id }) => keys.has(id));
  const chunks: { key: string; events: DeploymentEvent[] }[] = [];
  // Go from oldest to newest. An added event joins the chunk of the next older event if that chunk has room or
  // also has newer events.
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
