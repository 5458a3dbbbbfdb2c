import type { DeploymentEvent, DiffRelation, EnvironmentsDiff, MatrixRow } from '@shiplog/contract';
import { boxIn, eventShown } from '../board/box.ts';
import type { FutureRows } from '../board/future-rows.ts';
import type { Ownership } from '../board/ownership.ts';
import { type ComparisonKind, comparisonKinds } from '../state/address/comparison.ts';
import { sameRelease } from './same-release.ts';
import { type TeamItems, teamGroups, teamRank } from './team-groups.ts';

/** One service in both environments. */
export type Difference = EnvironmentsDiff['items'][number] & {
  /** The running deployment to `to`, if it deploys the release of `from`. */
  readonly arriving: DeploymentEvent | undefined;
};

type OneKind = Exclude<ComparisonKind, 'differ'>;

/** The kinds of differences, most urgent first. */
const order: readonly OneKind[] = ['arriving', 'ahead', 'only-from', 'diverged', 'behind', 'only-to', 'same'];

/** The running deployment in an environment, if it deploys the other environment's release. */
export function arrivingIn(
  row: MatrixRow | undefined,
  environment: string,
  from: DeploymentEvent | null,
  futureRows: FutureRows,
): DeploymentEvent | undefined {
  const box = row && boxIn(row, environment, futureRows);
  const event = box?.tone === 'run' ? eventShown(box) : undefined;
  return event && from && sameRelease(event, from) ? event : undefined;
}

export function kindOf({ relation, arriving }: Difference): OneKind {
  return arriving && relation !== 'same' ? 'arriving' : relation;
}

function isOfKind(item: Difference, kind: ComparisonKind): boolean {
  return kind === 'differ' ? item.relation !== 'same' : kindOf(item) === kind;
}

export function kindCounts(items: readonly Difference[]): Record<ComparisonKind, number> {
  const count = (kind: ComparisonKind) => items.filter((item) => isOfKind(item, kind)).length;
  return Object.fromEntries(comparisonKinds.map((kind) => [kind, count(kind)])) as Record<ComparisonKind, number>;
}

/** Sorts the team with the most outdated service first, and teams without matches and services without a team last. */
export function byTeam(
  items: readonly Difference[],
  kind: ComparisonKind,
  ownership: Ownership,
): TeamItems<Difference>[] {
  return teamGroups([...items].sort(furthestFirst), (item) => isOfKind(item, kind), ownership).sort(
    (one, other) => teamRank(one) - teamRank(other) || farthest(other) - farthest(one) || byName(one, other),
  );
}

function furthestFirst(one: Difference, other: Difference): number {
  const rank = (item: Difference) => order.indexOf(kindOf(item));
  return (
    rank(one) - rank(other) ||
    (other.behind ?? 0) - (one.behind ?? 0) ||
    (one.since ?? '').localeCompare(other.since ?? '')
  );
}

function farthest({ shown }: TeamItems<Difference>): number {
  return Math.max(0, ...shown.map(({ behind }) => behind ?? 0));
}

function byName(one: TeamItems<Difference>, other: TeamItems<Difference>): number {
  return (one.team ?? '').localeCompare(other.team ?? '');
}

/** The state of the target environment in a few words, and the reason. */
export function relationWords(item: Difference, from: string, to: string): readonly [string, string] {
  const words: Readonly<Record<DiffRelation, readonly [string, string]>> = {
    same: ['the same', ''],
    ahead: [`${item.behind} behind`, ''],
    behind: ['ahead', `${to} has had the release in ${from}`],
    diverged: ['apart', 'neither has had the other’s release'],
    'only-from': [`only in ${from}`, `nothing succeeded in ${to}`],
    'only-to': [`only in ${to}`, `nothing succeeded in ${from}`],
  };
  const said = words[item.relation];
  return kindOf(item) === 'arriving' ? ['arriving', `${said[0]} until it has succeeded`] : said;
}

export function kindMeaning(kind: ComparisonKind, from: string, to: string): string {
  const meanings: Readonly<Record<ComparisonKind, string>> = {
    differ: `Behind: ${to} runs what ${from} ran before. Ahead: ${from} runs what ${to} ran before. Apart: neither has ever had the other’s release.`,
    ahead: `${to} runs a release that ${from} ran before; ${from} has received another release since. Counted in releases.`,
    arriving: `The release of ${from} is being deployed to ${to} right now. The environments differ until it succeeds.`,
    behind: `${from} runs a release that ${to} ran before; ${to} has received another release since.`,
    diverged: `Neither has ever had the other’s release, so the log can’t say which release is newer.`,
    'only-from': `The service has succeeded in ${from}, but never in ${to}.`,
    'only-to': `The service has succeeded in ${to}, but never in ${from}.`,
    same: `The last successes in ${from} and in ${to} have the same release.`,
  };
  return meanings[kind];
}
