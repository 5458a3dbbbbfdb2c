import { type Finding, type FindingKind, findingKinds, type QualityReport } from '@shiplog/contract';
import { grouped, literalGlob, pluralize } from '@shiplog/text';
import { findingTitles } from '../../board/finding-titles.ts';
import { type Address, home } from '../../state/address.ts';

/** The mark of each kind of finding, and how it affects the board and the figures. */
export const findingLooks: Readonly<Record<FindingKind, readonly [shape: Shape, effect: string]>> = {
  future: ['ahead', 'Hides newer events of its place until then; left out of the lead time to production.'],
  late: ['clock', 'Posted long after they happened.'],
  stuck: ['stuck', 'Shown on the board as in progress; no figure counts it until it ends.'],
  'unknown-parent': ['ring', 'The lead time to production may leave it out.'],
  duplicate: ['dot', 'A final status that is sent twice counts twice in deployment frequency and change failure rate.'],
  'look-alike': [
    'dash',
    'One service or environment counts as several: the figures for each name miss the events of the others.',
  ],
  silent: ['mute', 'Its services look healthy only because no events arrive; they may be out of date.'],
  unversioned: ['ring', 'Releases, drift and rollbacks ignore it.'],
  contradicted: ['bad', 'What the board and the figures show may not be what the pipeline did.'],
  unproven: ['mute', 'Anyone who has the shared key could have posted it.'],
  'resolved-before-opened': ['clock', 'The time to restore leaves it out or is too long.'],
  'open-long': ['stuck', 'The time to restore leaves it out.'],
  'unknown-service': ['ring', 'No deployment is suspected.'],
  unlinked: ['ring', 'The observed change failure rate may be too low.'],
};

/** What the count of a finding counts, and how many findings of its kind there are. */
const nouns: Partial<Record<FindingKind, readonly [counted: string, found: string]>> = {
  stuck: ['deployment', 'place'],
  'look-alike': ['name', 'group'],
  'unknown-service': ['outage', 'service'],
};

export interface FindingGroup {
  readonly kind: FindingKind;
  /** "Clock ahead: 13 events in 9 places". */
  readonly title: string;
  /** What to do; `undefined` if it differs between the findings. */
  readonly todo: string | undefined;
  readonly findings: readonly Finding[];
  /** Whether all findings of the kind are loaded. */
  readonly isWhole: boolean;
}

/** The findings by kind, most serious kind first. A kind without loaded findings has only its count. */
export function findingGroups({ findings, counts }: Pick<QualityReport, 'findings' | 'counts'>): FindingGroup[] {
  const byKind = grouped<Finding, FindingKind>(findings, ({ kind }) => kind);
  return findingKinds.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    const loaded = byKind.get(kind) ?? [];
    const isWhole = loaded.length >= count;
    if (count === 0) return [];
    const todos = new Set(loaded.map(({ detail }) => todoIn(detail)));
    const [todo] = todos;
    // The sentences about names and reporters have the names.
    const isShared = todos.size === 1 && kind !== 'look-alike' && kind !== 'silent';
    return [
      { kind, title: titleOf(kind, count, loaded), todo: isShared ? todo : undefined, findings: loaded, isWhole },
    ];
  });
}

function titleOf(kind: FindingKind, count: number, loaded: readonly Finding[]): string {
  if (kind === 'resolved-before-opened' || kind === 'open-long' || kind === 'unlinked') {
    return `${findingTitles[kind]}: ${pluralize(loaded[0]?.count ?? count, 'outage')}`;
  }
  if (kind === 'silent') return `${findingTitles[kind]}: ${pluralize(count, 'reporter')}`;
  const [counted, found] = nouns[kind] ?? ['event', 'place'];
  if (loaded.length < count) return `${findingTitles[kind]}: ${pluralize(count, found)}`;
  const sum = loaded.reduce((all, finding) => all + finding.count, 0);
  return `${findingTitles[kind]}: ${pluralize(sum, counted)} in ${pluralize(count, found)}`;
}

/** What to do, which follows the semicolon in the sentence of a finding: "Correct the clock of the posting machine." */
function todoIn(detail: string): string | undefined {
  const todo = detail.slice(detail.lastIndexOf('; ') + 2);
  return todo === detail || !detail.includes('; ') ? undefined : `${todo.charAt(0).toUpperCase()}${todo.slice(1)}`;
}

/** Where a finding is: the history of its slot, or the board with a name; `undefined` for a reporter. */
export function placeOf({ service, environment }: Finding): Partial<Address> | undefined {
  if (service !== null && environment !== null) return { slot: { service, environment } };
  if (service === null && environment === null) return undefined;
  const names = {
    services: service === null ? [] : [literalGlob(service)],
    environments: environment === null ? [] : [literalGlob(environment)],
  };
  return { view: 'board', slot: undefined, filter: { ...home.filter, ...names } };
}

/** "pricing-engine in qa", "names like prod". */
export function placeName({ service, environment }: Finding): string {
  if (service !== null && environment !== null) return `${service} in ${environment}`;
  return service === null && environment === null ? '' : `names like ${service ?? environment}`;
}

export function findingsIn(counts: QualityReport['counts']): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export interface Headline {
  readonly answer: string;
  readonly says: string;
}

/** How far a log can be trusted, judged by the share of services with findings; `services` is the number checked. */
export function headlineOf(
  { emitters, findings, counts, next_cursor }: Pick<QualityReport, 'emitters' | 'findings' | 'counts' | 'next_cursor'>,
  services: number,
): Headline {
  if (emitters.length === 0) return { answer: 'No data yet.', says: 'The log is empty: no event has been posted.' };
  const all = findingsIn(counts);
  if (all === 0) return { answer: 'Yes.', says: 'No findings. All figures can be used as shown.' };
  const touched = new Set(findings.flatMap(({ service }) => service ?? [])).size;
  if (touched === 0) {
    return {
      answer: 'Mostly.',
      says: `${pluralize(all, 'finding')} about names or reporters, none about a single service.`,
    };
  }
  const some = next_cursor === null ? '' : 'at least ';
  const says = `${pluralize(all, 'finding')} ${all === 1 ? 'affects' : 'affect'} ${some}${touched} of ${pluralize(services, 'service')}.`;
  const answer = touched * 2 > services ? 'Only in part.' : 'Mostly.';
  const remaining = services - touched;
  if (next_cursor !== null || remaining <= 0) return { answer, says };
  return { answer, says: `${says} The figures of the other ${remaining} can be used as shown.` };
}
