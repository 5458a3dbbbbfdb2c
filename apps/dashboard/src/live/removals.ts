import { removalReport, streams } from '@shiplog/contract';
import { follow } from '@shiplog/streams/follow';

export interface RemovalsOptions {
  /** Of the component stream. */
  readonly url: string;
  readonly signal: AbortSignal;
  readonly onRemoved: (id: string) => void;
}

/** Reports the ids of events that are removed from the log (reading 8.7), until the signal is aborted. */
export async function followRemovals({ url, signal, onRemoved }: RemovalsOptions): Promise<void> {
  for await (const { event, data } of follow({ url, signal })) {
    const id = event === streams.components.frameName ? removedIn(data) : undefined;
    if (id !== undefined) onRemoved(id);
  }
}

/** The id of the removed event, if the report is about a removal. */
export function removedIn(data: string): string | undefined {
  try {
    const { component_id, event_type, payload } = JSON.parse(data);
    const isRemoval = component_id === removalReport.componentId && event_type === removalReport.eventType;
    return isRemoval && typeof payload?.id === 'string' ? payload.id : undefined;
  } catch {
    return undefined;
  }
}
