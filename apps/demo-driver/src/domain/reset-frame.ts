import { type ControlStreamEvent, everyComponent } from '@shiplog/contract';
import type { StatusEvent } from './status.ts';

export interface ResetContext {
  readonly componentId: string;
  /** The id of the reset in progress. */
  readonly resetId: string | null;
}

/**
 * The status event for a frame of the control stream. `undefined` for an unknown type, for a frame to another
 * component, and for the end of a reset other than the one in progress (reading 9.10).
 */
export function resetEvent(
  { type, id, component, correlation_id }: ControlStreamEvent,
  { componentId, resetId }: ResetContext,
): StatusEvent | undefined {
  if (component !== undefined && component !== everyComponent && component !== componentId) return undefined;
  switch (type) {
    case 'reset-initiated':
      return id === resetId ? undefined : { name: 'reset-initiated', resetId: id };
    case 'reset-started':
      return { name: 'reset-started' };
    case 'reset-completed':
    case 'reset-aborted':
      return resetId !== null && correlation_id === resetId ? { name: 'reset-ended' } : undefined;
    default:
      return undefined;
  }
}
