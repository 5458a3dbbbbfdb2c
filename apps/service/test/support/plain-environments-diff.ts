import type { DeploymentEvent } from '@shiplog/contract';
import { distinct, newestFirst } from '@shiplog/testing';
import { releaseKey } from './plain-releases.ts';

/** The difference of two environments as defined by questions.md 8 and 12.8, from a list of rows, in plain loops. */
export function plainDiff(rows: readonly DeploymentEvent[], from: string, to: string) {
  const items = [];
  const counts: Record<string, number> = { same: 0, ahead: 0, behind: 0, diverged: 0, 'only-from': 0, 'only-to': 0 };
  for (const service of distinct(rows.map((row) => row.service))) {
    const oldestIn = (environment: string) =>
      newestFirst(
        rows.filter((row) => row.service === service && row.environment === environment && row.status === 'success'),
      ).reverse();
    const [inFrom, inTo] = [oldestIn(from), oldestIn(to)];
    const [last, other] = [inFrom.at(-1), inTo.at(-1)];
    if (!last && !other) continue;
    const relation = relationOf(inFrom, inTo);
    const base = relation === 'ahead' ? inFrom.findLastIndex((row) => releaseKey(row) === keyOf(other)) : -1;
    const newer = relation === 'ahead' ? inFrom.slice(base + 1).filter((row) => releaseKey(row) !== undefined) : [];
    items.push({
      service,
      relation,
      behind: relation === 'ahead' ? distinct(newer.map((row) => releaseKey(row) ?? '')).length : null,
      since: newer[0]?.happened_at ?? null,
      from: last ?? null,
      to: other ?? null,
    });
    counts[relation] = (counts[relation] ?? 0) + 1;
  }
  return { items, counts };
}

interface PlainSides {
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** Which of several releases represents a stage. */
  readonly release: 'oldest' | 'newest';
}

/** The difference of two sides with a stage among them, as defined by stages.md 4.9 to 4.11, in plain loops. */
export function plainStagesDiff(rows: readonly DeploymentEvent[], { from, to, release }: PlainSides) {
  const items = [];
  const counts: Record<string, number> = { same: 0, ahead: 0, behind: 0, diverged: 0, 'only-from': 0, 'only-to': 0 };
  for (const service of distinct(rows.map((row) => row.service))) {
    const successes = newestFirst(rows.filter((row) => row.service === service && row.status === 'success')).reverse();
    const [inFrom, inTo] = [from, to].map((side) => successes.filter((row) => side.includes(row.environment)));
    if (!inFrom || !inTo || inFrom.length + inTo.length === 0) continue;
    const [source, target] = [inFrom, inTo].map((own) => sideOf(own, release));
    const relation = stagesRelation(inFrom, inTo, [source?.row, target?.row]);
    // All releases of both sides, by their first success on either.
    const order = distinctInOrder(successes.filter((row) => inFrom.includes(row) || inTo.includes(row)));
    const later = order.slice(order.indexOf(keyOf(target?.row) ?? '') + 1);
    const newer = inFrom.filter((row) => relation === 'ahead' && later.includes(releaseKey(row) ?? ''));
    items.push({
      service,
      relation,
      behind: relation === 'ahead' ? distinct(newer.map((row) => releaseKey(row) ?? '')).length : null,
      since: newer[0]?.happened_at ?? null,
      from: source?.row ?? null,
      to: target?.row ?? null,
      mixed: source?.mixed || target?.mixed ? [...(source?.mixed ?? []), ...(target?.mixed ?? [])] : null,
    });
    counts[relation] = (counts[relation] ?? 0) + 1;
  }
  return { items, counts };
}

function distinctInOrder(rows: readonly DeploymentEvent[]): string[] {
  return [...new Set(rows.flatMap((row) => releaseKey(row) ?? []))];
}

/** The row that represents a side, and its environments if they run different releases. Rows are oldest first. */
function sideOf(own: readonly DeploymentEvent[], release: PlainSides['release']) {
  const lasts = distinct(own.map((row) => row.environment)).map(
    (environment) => own.findLast((row) => row.environment === environment) as DeploymentEvent,
  );
  const released = lasts.filter((row) => releaseKey(row) !== undefined);
  const counted = released.length > 0 ? released : lasts;
  if (counted.length === 0) return undefined;
  const running = distinctInOrder(own).filter((key) => counted.some((row) => releaseKey(row) === key));
  const chosen = release === 'oldest' ? running[0] : running.at(-1);
  const [row] = newestFirst(counted.filter((row) => releaseKey(row) === chosen));
  const mixed = counted.map(({ environment, version, sha }) => ({
    environment,
    version: version || null,
    sha: sha || null,
  }));
  return { row, mixed: running.length > 1 ? mixed : undefined };
}

function stagesRelation(
  inFrom: readonly DeploymentEvent[],
  inTo: readonly DeploymentEvent[],
  [source, target]: readonly (DeploymentEvent | undefined)[],
): string {
  if (!source) return 'only-to';
  if (!target) return 'only-from';
  const [ours, theirs] = [releaseKey(source), releaseKey(target)];
  if (ours === undefined || theirs === undefined)
    return source.deployment_id === target.deployment_id ? 'same' : 'diverged';
  if (ours === theirs) return 'same';
  const has = (rows: readonly DeploymentEvent[], key: string) => rows.some((row) => releaseKey(row) === key);
  if (!has(inFrom, theirs) && !has(inTo, ours)) return 'diverged';
  const order = distinctInOrder(newestFirst([...inFrom, ...inTo]).reverse());
  return order.indexOf(ours) > order.indexOf(theirs) ? 'ahead' : 'behind';
}

const keyOf = (row: DeploymentEvent | undefined) => row && releaseKey(row);

/** Both lists are oldest first. */
function relationOf(inFrom: readonly DeploymentEvent[], inTo: readonly DeploymentEvent[]): string {
  const [last, other] = [inFrom.at(-1), inTo.at(-1)];
  if (!last) return 'only-to';
  if (!other) return 'only-from';
  const [ours, theirs] = [releaseKey(last), releaseKey(other)];
  if (ours === undefined || theirs === undefined) {
    return last.deployment_id === other.deployment_id ? 'same' : 'diverged';
  }
  if (ours === theirs) return 'same';
  const theirsWasHere = inFrom.some((row) => releaseKey(row) === theirs);
  const oursWasThere = inTo.some((row) => releaseKey(row) === ours);
  if (!theirsWasHere && !oursWasThere) return 'diverged';
  if (theirsWasHere !== oursWasThere) return theirsWasHere ? 'ahead' : 'behind';
  // Find the first success of each release in either environment. The release with the later one is ahead.
  const firsts = newestFirst([...inFrom, ...inTo]).reverse();
  const first = (key: string) => firsts.findIndex((row) => releaseKey(row) === key);
  return first(ours) > first(theirs) ? 'ahead' : 'behind';
}
