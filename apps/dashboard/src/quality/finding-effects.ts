import type { Finding, FindingKind } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';

/** How each kind of finding affects the board and the figures; `production` is the name of that environment. */
export const findingEffects: Readonly<Record<FindingKind, (production: string) => string>> = {
  future: (production) => `Hides newer events of its slot until then; left out of the lead time to ${production}.`,
  late: () => 'Figures for past days changed after they were read.',
  stuck: () => 'Shown on the board as in progress; no figure counts it until it ends.',
  'unknown-parent': (production) => `May be left out of the lead time to ${production}.`,
  duplicate: () => 'A final status that is sent twice counts twice in deployment frequency and change failure rate.',
  'look-alike': () =>
    'One service or environment counts as several: the figures for each name miss the events of the others.',
  silent: () => 'Its services look healthy only because no events arrive; they may be out of date.',
  unversioned: () => 'Releases, drift and rollbacks ignore it.',
};

/** The unit of a finding's count; rows by default. */
const nouns: Partial<Record<FindingKind, string>> = { stuck: 'deployment', 'look-alike': 'name', silent: 'reporter' };

/** What a finding counts, and in which slot: "2 rows, pricing-engine in qa". */
export function findingPlace({ kind, service, environment, count }: Finding): string {
  const many = pluralize(count, nouns[kind] ?? 'row');
  if (service !== null && environment !== null) return `${many}, ${service} in ${environment}`;
  if (service !== null) return `${many} like ${service}`;
  return environment === null ? many : `${many} like ${environment}`;
}
