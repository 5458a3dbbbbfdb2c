import { type ControlStreamEvent, everyComponent } from '@shiplog/contract';
import type { StatusEvent } from './status.ts';

export interface ResetPart {
  readonly componentId: string;
  /** Id of the reset under way. */
  readonly resetId: string | null;
}

/**
 * What a frame of the control stream means for a component, `undefined` where nothing: a type that it does not know, a
 * frame for another component, the end of a reset that is not the one under way (reading 9.10).
 */
export function resetEvent(
  { type, id, component, correlation_id }: ControlStreamEvent,
  { componentId, resetId }: ResetPart,
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
