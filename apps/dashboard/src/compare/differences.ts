import type { DeploymentEvent, DiffRelation, EnvironmentsDiff, MatrixRow } from '@shiplog/contract';
import { grouped, pluralize } from '@shiplog/text';
import { type Box, boxIn, eventShown } from '../board/box.ts';
import type { FutureRows } from '../board/future-rows.ts';
import { type Ownership, teamOf } from '../board/ownership.ts';
import { sameRelease } from '../board/same-release.ts';
import {
  type ComparisonAge,
  type ComparisonKind,
  type ComparisonState,
  comparisonKinds,
} from '../state/address/comparison.ts';

/** One service in both environments. */
export type Difference = EnvironmentsDiff['items'][number] & {
  /** The running deployment to `to`, if it deploys the release of `from`. */
  readonly arriving: DeploymentEvent | undefined;
};

type OneKind = Exclude<ComparisonKind, 'differ'>;

/** The kinds of differences, most urgent first. */
const order: readonly OneKind[] = ['arriving', 'ahead', 'only-from', 'diverged', 'behind', 'only-to', 'same'];

/** A failed or running attempt in one of the environments. */
export function attemptIn(
  row: MatrixRow,
  environments: readonly string[],
  futureRows: FutureRows,
): DeploymentEvent | undefined {
  const box = boxesIn(row, environments, futureRows).find(({ tone }) => tone === 'bad' || tone === 'run');
  return box && eventShown(box);
}

/** The running deployment in one of the environments, if it deploys the release of the other side. */
export function arrivingIn(
  row: MatrixRow | undefined,
  environments: readonly string[],
  from: DeploymentEvent | null,
  futureRows: FutureRows,
): DeploymentEvent | undefined {
  if (!row || !from) return undefined;
  const running = boxesIn(row, environments, futureRows).filter(({ tone }) => tone === 'run');
  return running.map(eventShown).find((event) => sameRelease(event, from));
}

function boxesIn(row: MatrixRow, environments: readonly string[], futureRows: FutureRows): Box[] {
  return environments.flatMap((environment) => boxIn(row, environment, futureRows) ?? []);
}

export function kindOf({ relation, arriving }: Difference): OneKind {
  return arriving && relation !== 'same' ? 'arriving' : relation;
}

/**
 * Since when `to` lacks what `from` has. If it never had a release of `from`, the last success in `from` counts;
 * `undefined` if nothing would reach `to`.
 */
export function waitingSince({ relation, since, from }: Difference): string | undefined {
  if (since !== null) return since;
  return relation === 'only-from' || relation === 'diverged' ? from?.happened_at : undefined;
}

export function isOlderThan(item: Difference, age: ComparisonAge, atMs: number): boolean {
  const since = waitingSince(item);
  return since !== undefined && atMs - Date.parse(since) > Number.parseInt(age, 10) * 86_400_000;
}

function isOfKind(item: Difference, kind: ComparisonKind): boolean {
  return kind === 'differ' ? item.relation !== 'same' : kindOf(item) === kind;
}

export function ofKind(items: readonly Difference[], kind: ComparisonKind): Difference[] {
  return items.filter((item) => isOfKind(item, kind));
}

export function kindCounts(items: readonly Difference[]): Record<ComparisonKind, number> {
  const count = (kind: ComparisonKind) => ofKind(items, kind).length;
  return Object.fromEntries(comparisonKinds.map((kind) => [kind, count(kind)])) as Record<ComparisonKind, number>;
}

/** The services of one team; `undefined` = without a team. */
export interface TeamItems {
  readonly team: string | undefined;
  /** The services that are listed. */
  readonly shown: readonly Difference[];
  readonly all: readonly Difference[];
}

/** Sorts the team with the first service first, and teams without matches and services without a team last. */
export function byTeam(
  items: readonly Difference[],
  { kind, sort }: Pick<ComparisonState, 'kind' | 'sort'>,
  ownership: Ownership,
): TeamItems[] {
  const isByAge = sort !== 'behind';
  const inOrder = isByAge ? byAge(sort) : furthestFirst;
  const teams = grouped<Difference, string | undefined>([...items].sort(inOrder), ({ service }) =>
    teamOf(ownership, service),
  );
  const rank = ({ team, shown }: TeamItems) => Number(shown.length === 0) * 2 + Number(team === undefined);
  const ofTeams = (one: TeamItems, other: TeamItems) => {
    const [[first], [second]] = [one.shown, other.shown];
    return isByAge && first && second ? inOrder(first, second) : farthest(other) - farthest(one);
  };
  return [...teams]
    .map(([team, all]) => ({ team, shown: ofKind(all, kind), all }))
    .sort((one, other) => rank(one) - rank(other) || ofTeams(one, other) || byName(one, other));
}

/** The texts at the start and end of a team's heading. */
export function teamCounts({ shown, all }: TeamItems, kind: ComparisonKind): readonly [string, string] {
  const [listed, same] = [shown.length, all.length - shown.length];
  if (kind !== 'differ') return [`${listed} of ${pluralize(all.length, 'service')}`, ''];
  return [
    listed === 0 ? '' : listed === 1 ? '1 differs' : `${listed} differ`,
    same === 0 ? '' : listed > 0 || same === 1 ? `${same} the same` : `all ${same} the same`,
  ];
}

function furthestFirst(one: Difference, other: Difference): number {
  const rank = (item: Difference) => order.indexOf(kindOf(item));
  return (
    rank(one) - rank(other) ||
    (other.behind ?? 0) - (one.behind ?? 0) ||
    (one.since ?? '').localeCompare(other.since ?? '')
  );
}

/** Services without an age come last. */
function byAge(sort: 'oldest' | 'newest'): (one: Difference, other: Difference) => number {
  const ageOf = (item: Difference) => {
    const since = waitingSince(item);
    return since === undefined ? Number.POSITIVE_INFINITY : Date.parse(since) * (sort === 'oldest' ? 1 : -1);
  };
  return (one, other) => {
    const [first, second] = [ageOf(one), ageOf(other)];
    return first === second ? furthestFirst(one, other) : first - second;
  };
}

function farthest({ shown }: TeamItems): number {
  return Math.max(0, ...shown.map(({ behind }) => behind ?? 0));
}

function byName(one: TeamItems, other: TeamItems): number {
  return (one.team ?? '').localeCompare(other.team ?? '');
}

/** The state of the target environment in a few words, and the reason. */
export function relationWords(item: Difference, from: string, to: string): readonly [string, string] {
  const words: Readonly<Record<DiffRelation, readonly [string, string]>> = {
    same: ['the same', ''],
    ahead: [`${item.behind} behind`, ''],
    behind: ['ahead', `${to} has had the release in ${from}`],
    diverged: ['diverged', 'neither has had the other’s release'],
    'only-from': [`only in ${from}`, `nothing succeeded in ${to}`],
    'only-to': [`only in ${to}`, `nothing succeeded in ${from}`],
  };
  const said = words[item.relation];
  return kindOf(item) === 'arriving' ? ['arriving', `${said[0]} until it has succeeded`] : said;
}

/** The environments of a mixed stage that already have the release of `from`. */
export function alreadyIn({ mixed, from, relation }: Difference, environments: readonly string[]): string[] {
  if (!mixed || !from || relation === 'same') return [];
  const own = mixed.filter((event) => environments.includes(event.environment) && sameRelease(event, from));
  return own.map(({ environment }) => environment);
}

export function kindMeaning(kind: ComparisonKind, from: string, to: string): string {
  const meanings: Readonly<Record<ComparisonKind, string>> = {
    differ: `Behind: ${from} has a newer release than ${to}. Ahead: ${to} has a newer one than ${from}. Diverged: neither has ever had the other’s release.`,
    ahead: `${to} runs a release that ${from} ran before; ${from} has received a newer one since. Counted in releases.`,
    arriving: `The release of ${from} is being deployed to ${to} right now. The environments differ until it succeeds.`,
    behind: `${from} runs a release that ${to} ran before; ${to} has received a newer one since.`,
    diverged: `Neither has ever had the other’s release, so the log can’t say which release is newer.`,
    'only-from': `The service has succeeded in ${from}, but never in ${to}.`,
    'only-to': `The service has succeeded in ${to}, but never in ${from}.`,
    same: `The last successes in ${from} and in ${to} have the same release.`,
  };
  return meanings[kind];
}
