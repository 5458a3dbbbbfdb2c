import type { DiffRelation } from '@shiplog/contract';
import type { Board } from '../board/board.ts';
import {
  type Compared,
  comparedIn,
  type Drift,
  type Drifts,
  driftFromDiff,
  isSame,
  type Neighbours,
  neighboursOf,
  noDrifts,
  type RowDrifts,
} from '../board/drift.ts';
import type { Address } from '../state/address.ts';
import { Store } from '../state/store.ts';
import type { Connection } from './connection.ts';
import type { PastStore } from './past-board.ts';
import { startRequest } from './request.ts';

/** Everything is compared again after this time: a late report can change history without changing a slot. */
const everyMs = 300_000;
/** Above this number, all services are requested, because the length of a URL is limited. */
const namedMax = 20;
/** Their filters count what is behind, and can show only that. */
const viewsThatCount: ReadonlySet<Address['view']> = new Set(['board', 'swimlanes']);

/** The last comparison of a slot: what was compared, and the result. */
interface Known {
  readonly compared: Compared;
  readonly drift: Drift | undefined;
}

/**
 * How each slot compares to the stage before it: one request for each pair of neighbouring stages, first for all services,
 * then for those that had a success since. Requested shortly after the board changes, while a view shows what is behind.
 */
export function driftsOf(connection: Connection, past: PastStore, address: Store<Address>): Store<Drifts> {
  const drifts = new Store(noDrifts);
  /** By environment, then by service. */
  let known = new Map<string, Map<string, Known>>();
  let knownAt: string | undefined;
  let wholeAtMs = Date.now();

  async function ask(signal: AbortSignal): Promise<void> {
    const board = connection.board.value;
    if (!viewsThatCount.has(address.value.view) || !board) return;
    const at = past.value.shown;
    if (at !== knownAt || Date.now() - wholeAtMs >= everyMs) {
      known = new Map();
      wholeAtMs = Date.now();
    }
    knownAt = at;
    for (const neighbours of neighboursOf(board.environments, connection.promotionOrder.value)) {
      await compare(board, neighbours, at, signal);
    }
    drifts.set(joined(drifts.value, known));
  }

  async function compare(board: Board, neighbours: Neighbours, at: string | undefined, signal: AbortSignal) {
    const [from, to] = neighbours;
    const knownHere = known.get(to) ?? new Map<string, Known>();
    const stale = [...board.rows.values()].filter((row) => {
      const compared = comparedIn(row, neighbours);
      return !isSame(compared, knownHere.get(row.service)?.compared ?? [undefined, undefined]);
    });
    if (stale.length === 0) return;
    const services = stale.length > namedMax ? {} : { services: stale.map(({ service }) => literal(service)) };
    const query = { from, to, ...services, ...(at === undefined ? {} : { at }) };
    const { body } = await connection.client.diffEnvironments({ query, signal });
    for (const { service, relation, behind, ...last } of body.items) {
      const compared: Compared = [last.from?.id, last.to?.id];
      knownHere.set(service, { compared, drift: driftFromDiff(relation as DiffRelation, behind, from, compared) });
    }
    known.set(to, knownHere);
  }

  const { changed } = startRequest(ask, { everyMs });
  connection.board.listen(changed);
  connection.promotionOrder.listen(changed);
  address.listen(changed);
  return drifts;
}

/** A glob that matches this name alone. */
function literal(name: string): string {
  return name.replace(/[*?\\]/g, '\\$&');
}

/** All known drifts by service. An unchanged service keeps its object, so that its row isn't drawn again. */
function joined(before: Drifts, known: ReadonlyMap<string, ReadonlyMap<string, Known>>): Drifts {
  const found = new Map<string, Map<string, Drift>>();
  for (const [environment, inEnvironment] of known) {
    for (const [service, { drift }] of inEnvironment) {
      if (!drift) continue;
      const ofService = found.get(service) ?? new Map<string, Drift>();
      found.set(service, ofService.set(environment, drift));
    }
  }
  const after = new Map([...found].map(([service, drifts]) => [service, unchangedOr(before.get(service), drifts)]));
  const isSameAll = after.size === before.size && [...after].every(([service, row]) => before.get(service) === row);
  return isSameAll && before !== noDrifts ? before : after;
}

function unchangedOr(before: RowDrifts | undefined, now: RowDrifts): RowDrifts {
  const isUnchanged = before?.size === now.size && [...now].every(([name, drift]) => before.get(name) === drift);
  return isUnchanged && before ? before : now;
}
