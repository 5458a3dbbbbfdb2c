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
