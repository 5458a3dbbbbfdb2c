import type { Post, SeenEvent } from '../history.ts';
import type { Violation } from './violation.ts';

export interface PostFacts {
  readonly posts: readonly Post[];
  /** Every event seen in any response or stream, or in the final log. */
  readonly events: Iterable<SeenEvent>;
  /** The ids in the final log. */
  readonly log: ReadonlySet<string>;
  /** The greatest id that each reset cleared, in reset order. */
  readonly clearings: readonly string[];
}

/**
 * Every post with status 201 is in the log once, or was cleared by a reset that had not ended when the post was sent.
 * Every other post is stored at most once, and a rejected post is not stored. The log has no events that were never
 * posted.
 */
export function checkPosts({ posts, events, log, clearings }: PostFacts): Violation[] {
  const found: Violation[] = [];
  const byKey = new Map<string, SeenEvent>();
  for (const event of events) {
    const other = byKey.get(event.key);
    if (other)
      found.push({ kind: 'duplicated', what: `the post ${event.key} is stored as ${other.id} and ${event.id}` });
    byKey.set(event.key, event);
  }
  const cleared = clearings.at(-1) ?? '';
  for (const { key, id, status, problem, completedBefore } of posts) {
    const event = byKey.get(key);
    byKey.delete(key);
    if (id === undefined) {
      const refused = status !== undefined && (status !== 503 || problem === 'reset-in-progress');
      if (event && refused)
        found.push({ kind: 'invented', what: `the post ${key} was refused with ${status} but is stored` });
    } else if (id > cleared && !log.has(id)) {
      found.push({ kind: 'lost', what: `the post ${key} was answered with 201 and ${id}, which is not in the log` });
    } else if (id <= (clearings[completedBefore - 1] ?? '')) {
      found.push({
        kind: 'reset',
        what: `${id} was posted after ${completedBefore} resets, but a reset among them cleared ids above it`,
      });
    }
  }
  for (const event of byKey.values())
    found.push({ kind: 'invented', what: `${event.id} is stored and was never posted` });
  for (const id of log) if (id <= cleared) found.push({ kind: 'reset', what: `${id} survived a reset` });
  return found;
}

/** Ids ascend: an event posted after the response to another post has the greater id. */
export function checkOrder(posts: readonly Post[]): Violation[] {
  const answered = posts.flatMap(({ id, sentAt, answeredAt }) =>
    id === undefined ? [] : [{ id, sentAt, answeredAt }],
  );
  const bySending = answered.toSorted((left, right) => left.sentAt - right.sentAt);
  const byAnswer = answered.toSorted((left, right) => left.answeredAt - right.answeredAt);
  const found: Violation[] = [];
  let greatest = '';
  let next = 0;
  for (const { id, sentAt } of bySending) {
    for (let before = byAnswer[next]; before && before.answeredAt < sentAt; before = byAnswer[next]) {
      if (before.id > greatest) greatest = before.id;
      next += 1;
    }
    if (id < greatest) {
      found.push({ kind: 'out of order', what: `${id} was posted after the response with ${greatest}` });
    }
  }
  return found;
}
