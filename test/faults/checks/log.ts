import type { SeenEvent } from '../history.ts';
import { checkOrder, checkPosts, type PostFacts } from './posts.ts';
import { checkReading, type ReadingFacts } from './readings.ts';
import type { Violation } from './violation.ts';

export interface LogFacts extends PostFacts {
  readonly events: readonly SeenEvent[];
  readonly readings: readonly ReadingFacts['reading'][];
}

/** Every post is stored as its response says, in order, and every reader gets every event. */
export function checkLog(facts: LogFacts): Violation[] {
  return [
    ...checkPosts(facts),
    ...checkOrder(facts.posts),
    ...facts.readings.flatMap((reading) => checkReading({ ...facts, reading })),
  ];
}
