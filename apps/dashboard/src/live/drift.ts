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
} from '../board/drift.ts';
import { globOf } from '../board/filter.ts';
import type { Address } from '../state/address.ts';
import { Store } from '../state/store.ts';
import type { Connection } from './connection.ts';
import type { PastStore } from './past-board.ts';
import { startRequest } from './request.ts';

/** Everything is compared again after this time: a late report can change history without changing a slot. */
const everyMs = 300_000;
/** For more services than this, a request covers all services, because the length of a URL is limited. */
const namedMax = 20;
const viewsWithDrift: ReadonlySet<Address['view']> = new Set(['board', 'swimlanes']);

interface Known {
  readonly compared: Compared;
  readonly drift: Drift | undefined;
}

/**
 * How each slot compares to the previous stage. Sends one request for each pair of adjacent stages: first for all
 * services, later for those with another success. Sends them shortly after the board changes, for views with drift.
 */
export function driftsOf(connection: Connection, past: PastStore, address: Store<Address>): Store<Drifts> {
  const drifts = new Store(noDrifts);
  /** The known drifts, by environment, then by service. */
  let known = new Map<string, Map<string, Known>>();
  let knownAt: string | undefined;
  let wholeAtMs = Date.now();

  async function ask(signal: AbortSignal): Promise<void> {
    const board = connection.board.value;
    if (!viewsWithDrift.has(address.value.view) || !board) return;
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
    const services = stale.length > namedMax ? {} : { services: stale.map(({ service }) => globOf(service)) };
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
  return before === noDrifts ? after : unchangedOr(before, after);
}

/** The previous map if it has the same entries. */
function unchangedOr<Value>(before: ReadonlyMap<string, Value> | undefined, now: ReadonlyMap<string, Value>) {
  return before?.size === now.size && [...now].every(([key, value]) => before.get(key) === value) ? before : now;
}
