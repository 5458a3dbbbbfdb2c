import type { DeploymentEvent } from '@shiplog/contract';
import { grouped, markdownText, plain, pluralize, versionOf } from '@shiplog/text';
import { inUtc } from '../board/age.ts';
import type { Ownership } from '../board/ownership.ts';
import { compareUrl } from '../board/repository.ts';
import { type ComparisonKind, comparisonPart } from '../state/address/comparison.ts';
import { byTeam, type Difference, kindOf, ofKind } from './differences.ts';

export interface Notes {
  readonly items: readonly Difference[];
  /** The notes list only differences of this kind. */
  readonly kind: ComparisonKind;
  /** Whether a filter left out services. */
  readonly isFiltered: boolean;
  readonly from: string;
  readonly to: string;
  readonly ownership: Ownership;
  /** The time of the comparison (RFC 3339). */
  readonly at: string;
}

/** The release notes as Markdown, by team. Lists the services that don't reach `to`, with the reason. */
export function releaseNotes({ items: all, kind, isFiltered, from, to, ownership, at }: Notes): string {
  const items = ofKind(all, kind);
  const teams = byTeam(items.filter(isNoted), comparisonPart.home, ownership);
  const [source, target] = [escaped(from), escaped(to)];
  const sections = teams.map(({ team, shown }) => {
    const lines = shown.map((item) => line(item, ownership));
    const heading = team ?? (teams.length > 1 ? 'No team' : undefined);
    return (heading === undefined ? lines : [`## ${escaped(heading)}`, ...lines]).join('\n');
  });
  const title = `# ${source} → ${target}, ${inUtc(at).replace(/:\d\d UTC$/, ' UTC')}`;
  const none = kind === 'differ' && !isFiltered ? 'Nothing' : 'No listed service';
  const nothing = sections.length === 0 ? [`${none} would reach ${target}.`] : [];
  const left = leftOut(items, source, target).flatMap(({ reason, services }) =>
    services.map((service) => `${escaped(service)} (${reason})`),
  );
  const rest = left.length === 0 ? [] : [`**Left out:** ${left.join(', ')}`];
  return [title, ...sections, ...nothing, ...rest].join('\n\n');
}

function isNoted(item: Difference): boolean {
  return ['ahead', 'only-from', 'arriving'].includes(kindOf(item));
}

/** The number of services in the notes. */
export function notedCount(items: readonly Difference[]): number {
  return items.filter(isNoted).length;
}

function line(item: Difference, ownership: Ownership): string {
  const { service, from, to, behind } = item;
  const name = escaped(service);
  const arriving = kindOf(item) === 'arriving' ? ', arriving' : '';
  if (!from) return `- ${name}`;
  if (!to) return `- ${name} new: ${version(from)}${arriving}`;
  const url = compareUrl(ownership.items.get(service)?.repository, to, from);
  const change = `${version(to)} → ${version(from)}`;
  const count = behind === null ? '' : `, ${pluralize(behind, 'release')}`;
  return `- ${name} ${url ? `[${change}](${url})` : change}${count}${arriving}`;
}

/** Escapes Markdown, because names are user-supplied. */
function escaped(text: string): string {
  return markdownText(plain(text));
}

function version(event: DeploymentEvent): string {
  return escaped(versionOf(event));
}

/** Services that the notes leave out for one reason. */
export interface LeftOut {
  readonly kind: ComparisonKind;
  readonly reason: string;
  readonly services: readonly string[];
}

/** The differences that don't reach `to`, grouped by reason. */
export function leftOut(items: readonly Difference[], from: string, to: string): LeftOut[] {
  const reasons: readonly (readonly [ComparisonKind, string])[] = [
    ['diverged', `its ${to} release was never in ${from}`],
    ['only-to', `only in ${to}`],
    ['behind', `${to} is ahead`],
  ];
  const kinds = grouped(items, kindOf);
  return reasons.flatMap(([kind, reason]) => {
    const services = (kinds.get(kind) ?? []).map(({ service }) => service);
    return services.length === 0 ? [] : [{ kind, reason, services }];
  });
}
