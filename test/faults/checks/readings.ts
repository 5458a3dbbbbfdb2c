import type { Reading, Resumption, SeenEvent } from '../history.ts';
import type { Violation } from './violation.ts';

export interface ReadingFacts {
  readonly reading: Pick<Reading, 'reader' | 'service' | 'after' | 'ids'>;
  /** Every event seen in any response or stream, by id. */
  readonly events: readonly SeenEvent[];
  /** The greatest id that each reset cleared, ascending. */
  readonly clearings: readonly string[];
}

/**
 * A reader gets ascending ids and every event from its start position to the end of the log. It may miss only events at
 * the end of a cleared log, because it may have been behind.
 */
export function checkReading({ reading, events, clearings }: ReadingFacts): Violation[] {
  const { reader, service, ids } = reading;
  const got = new Set<string>();
  const found: Violation[] = [];
  let last = '';
  for (const id of ids) {
    if (got.has(id)) found.push({ kind: 'duplicated', what: `${reader} got ${id} again` });
    else if (id < last) found.push({ kind: 'out of order', what: `${reader} got ${id} after ${last}` });
    got.add(id);
    if (id > last) last = id;
  }
  const due = events.filter((event) => isAfterBegin(event.id, reading) && (service ?? event.service) === event.service);
  const ofOthers =
    service === undefined ? [] : events.filter((event) => event.service !== service && got.has(event.id));
  for (const { id } of ofOthers) found.push({ kind: 'invented', what: `${reader} got ${id} of another service` });
  for (const id of missed(due, got, clearings)) found.push({ kind: 'lost', what: `${reader} never got ${id}` });
  return found;
}

/** Whether an event follows the start position. A live reader starts just before its first frame. */
function isAfterBegin(id: string, { after, ids }: Pick<Reading, 'after' | 'ids'>): boolean {
  const [first] = ids;
  return after === undefined ? first !== undefined && id >= first : id > after;
}

function missed(due: readonly SeenEvent[], got: ReadonlySet<string>, clearings: readonly string[]): string[] {
  const lost: string[] = [];
  let skipped: string[] = [];
  let epoch = 0;
  for (const { id } of due) {
    while (id > (clearings[epoch] ?? '~')) {
      epoch += 1;
      skipped = [];
    }
    if (got.has(id)) lost.push(...skipped.splice(0));
    else skipped.push(id);
  }
  // Events after the last reset were not cleared, so skipped ones are lost.
  return epoch === clearings.length ? [...lost, ...skipped] : lost;
}

/** Checks that `X-Stream-Resume` is correct for the `Last-Event-ID` of a connection. */
export function checkResumption(
  { reader, instance, after, resume, completedBefore }: Resumption,
  clearings: readonly string[],
): Violation[] {
  const cleared = clearings[completedBefore - 1] ?? '';
  const truth: Readonly<Record<string, boolean>> = {
    live: after === undefined,
    replay: after !== undefined && after >= cleared,
    truncated: after !== undefined && after < (clearings.at(-1) ?? ''),
  };
  if (truth[resume ?? '']) return [];
  const seen = `after ${completedBefore} resets, the last of which had cleared up to ${cleared || 'nothing'}`;
  return [
    { kind: 'answer', what: `${reader} resumed on ${instance} from ${after}, ${seen}, and was answered ${resume}` },
  ];
}
