import type { Finding, FindingKind } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';

/** How a kind of finding is described; `production` is the name of that environment. */
export interface FindingWords {
  readonly title: string;
  /** What the finding counts. */
  readonly noun: string;
  /** What it does to the board and the figures. */
  readonly effect: (production: string) => string;
}

export const findingWords: Readonly<Record<FindingKind, FindingWords>> = {
  future: {
    title: 'Clock ahead',
    noun: 'row',
    effect: (production) => `Hides newer events of its slot until then; left out of the lead time to ${production}.`,
  },
  late: { title: 'Late', noun: 'row', effect: () => 'Figures for past days changed after they were read.' },
  stuck: {
    title: 'Stuck',
    noun: 'deployment',
    effect: () => 'Shown on the board as in progress; no figure counts it until it ends.',
  },
  'unknown-parent': {
    title: 'Parent missing',
    noun: 'row',
    effect: (production) => `May be left out of the lead time to ${production}.`,
  },
  duplicate: {
    title: 'Sent twice',
    noun: 'row',
    effect: () => 'A final status that is sent twice counts twice in deployment frequency and change failure rate.',
  },
  'look-alike': {
    title: 'Similar names',
    noun: 'name',
    effect: () =>
      'One service or environment counts as several: the figures for each name miss the events of the others.',
  },
  silent: {
    title: 'Silent',
    noun: 'reporter',
    effect: () => 'Its services look healthy only because no events arrive; they may be out of date.',
  },
  unversioned: {
    title: 'No version',
    noun: 'row',
    effect: () => 'Releases, drift and rollbacks ignore it.',
  },
};

/** What a finding counts, and where: "2 rows, pricing-engine in qa". */
export function findingPlace({ kind, service, environment, count }: Finding): string {
  const many = pluralize(count, findingWords[kind].noun);
  if (service !== null && environment !== null) return `${many}, ${service} in ${environment}`;
  if (service !== null) return `${many} like ${service}`;
  return environment === null ? many : `${many} like ${environment}`;
}

/** A note on the findings in one slot: "the log has a finding here: Clock ahead"; `undefined` without any. */
export function findingNote(findings: readonly Pick<Finding, 'kind'>[]): string | undefined {
  if (findings.length === 0) return undefined;
  const titles = findings.map(({ kind }) => findingWords[kind].title).join(', ');
  return `the log has ${findings.length === 1 ? 'a finding' : pluralize(findings.length, 'finding')} here: ${titles}`;
}
