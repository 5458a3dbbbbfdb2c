import type { ClearingFacts } from '@shiplog/testing/clearings';
import type { ControlFrame } from '../history.ts';
import type { Violation } from './violation.ts';

const ends = ['reset-completed', 'reset-aborted'];

/** Control frames have ascending ids. Each reset is reported as initiated, started and ended, one reset at a time. */
export function checkControlFrames(frames: readonly ControlFrame[]): Violation[] {
  const found: Violation[] = [];
  let last: ControlFrame | undefined;
  for (const frame of frames) {
    if (last && frame.id <= last.id) found.push({ kind: 'out of order', what: `${frame.id} came after ${last.id}` });
    if (!follows(frame, last)) {
      const before = last ? `${last.type} ${last.correlationId}` : 'nothing';
      found.push({ kind: 'reset', what: `${frame.type} ${frame.correlationId} came after ${before}` });
    }
    last = frame;
  }
  if (last && !ends.includes(last.type)) found.push({ kind: 'reset', what: `${last.correlationId} never ended` });
  return found;
}

function follows(frame: ControlFrame, last: ControlFrame | undefined): boolean {
  if (frame.type === 'reset-initiated') return !last || ends.includes(last.type);
  const due = frame.type === 'reset-started' ? 'reset-initiated' : 'reset-started';
  return last?.type === due && last.correlationId === frame.correlationId;
}

/** A reset clears the log and stores its frame in one transaction, and readers receive this frame. */
export function checkClearings({ completed, untold }: ClearingFacts, frames: readonly ControlFrame[]): Violation[] {
  const told = frames.filter(({ type }) => type === 'reset-completed').map(({ id }) => id);
  const found: Violation[] = [];
  if (untold > 0) found.push({ kind: 'reset', what: `the log was cleared ${untold} times without a reset-completed` });
  if (told.join() !== completed.map(({ frameId }) => frameId).join()) {
    found.push({
      kind: 'reset',
      what: `${completed.length} resets are stored as completed, but readers got ${told.length}`,
    });
  }
  return found;
}
