import type { Finding, FindingKind } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';

/** What is wrong with a part of the log, and what that does to figures; `production` is how that is called. */
export interface FindingWords {
  readonly title: string;
  /** What there are so many of. */
  readonly noun: string;
  readonly effect: (production: string) => string;
}

export const findingWords: Readonly<Record<FindingKind, FindingWords>> = {
  future: {
    title: 'Clock ahead',
    noun: 'row',
    effect: () => 'Hides newer events until then. Not in “Lead time”.',
  },
  late: { title: 'Late', noun: 'row', effect: () => 'Figures of past days changed after they were read.' },
  stuck: {
    title: 'Stuck',
    noun: 'deployment',
    effect: () => 'Shows as under way, and counts in no figure until it ends.',
  },
  'unknown-parent': {
    title: 'Parent missing',
    noun: 'row',
    effect: () => 'May be left out of “Lead time”.',
  },
  duplicate: {
    title: 'Sent twice',
    noun: 'row',
    effect: () => 'An end sent twice counts twice in “Deployment frequency” and “Change failure rate”.',
  },
  'look-alike': {
    title: 'Names alike',
    noun: 'name',
    effect: () => 'One name counts as several: the figures of each miss the events of the others.',
  },
  silent: {
    title: 'Silent',
    noun: 'reporter',
    effect: () => 'Its services look calm because nothing is heard; they may be out of date.',
  },
  unversioned: {
    title: 'No version',
    noun: 'row',
    effect: () => 'Releases, drift and rollbacks do not see it.',
  },
};

/** How much a finding is about, and where: "2 rows, pricing-engine in qa". */
export function findingPlace({ kind, service, environment, count }: Finding): string {
  const many = pluralize(count, findingWords[kind].noun);
  if (service !== null && environment !== null) return `${many}, ${service} in ${environment}`;
  if (service !== null) return `${many} like ${service}`;
  return environment === null ? many : `${many} like ${environment}`;
}

/** The findings of one place, for its sentence: "the log has a finding here: Clock ahead"; nothing without any. */
export function findingNote(findings: readonly Pick<Finding, 'kind'>[]): string | undefined {
  if (findings.length === 0) return undefined;
  const titles = findings.map(({ kind }) => findingWords[kind].title).join(', ');
  return `the log has ${findings.length === 1 ? 'a finding' : pluralize(findings.length, 'finding')} here: ${titles}`;
}
