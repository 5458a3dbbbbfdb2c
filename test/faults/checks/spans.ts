import type { Post, Probe, Reading, Span } from '../history.ts';
import type { Violation } from './violation.ts';

/** §1 rule 9. */
const freshWithinMs = 5000;

/** While an instance has no database, it must not report that it is ready. */
export function checkReadiness(probes: readonly Probe[], severed: readonly Span[]): Violation[] {
  return probes.flatMap(({ instance, sentAt, answeredAt, status }) => {
    const cut = severed.find((span) => span.instance === instance && span.from <= sentAt && answeredAt <= span.until);
    if (status !== 200 || !cut) return [];
    const ms = Math.round(sentAt - cut.from);
    return [{ kind: 'readiness', what: `${instance} reported that it was ready ${ms} ms after it lost its database` }];
  });
}

/**
 * A frame reaches a reader within five seconds of the response to its post, unless a fault delayed the frame. Lost
 * notifications do not count as such a fault.
 */
export function checkFreshness(
  reading: Pick<Reading, 'reader' | 'home' | 'ids' | 'arrivedAt'>,
  answeredAt: ReadonlyMap<string, number>,
  impaired: readonly Span[],
): Violation[] {
  const spans = impaired.filter(({ instance }) => instance === reading.home);
  return reading.ids.flatMap((id, n) => {
    const arrival = reading.arrivedAt[n] ?? 0;
    const answer = answeredAt.get(id) ?? arrival;
    if (arrival - answer <= freshWithinMs) return [];
    if (spans.some(({ from, until }) => from <= arrival && until >= answer)) return [];
    return [
      { kind: 'late', what: `${reading.reader} got ${id} ${Math.round(arrival - answer)} ms after its response` },
    ];
  });
}

/** The response time of each event's post. */
export function answerTimes(posts: readonly Post[]): Map<string, number> {
  return new Map(posts.flatMap(({ id, answeredAt }) => (id === undefined ? [] : [[id, answeredAt] as const])));
}
