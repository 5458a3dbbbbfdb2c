import type { Finding, FindingKind } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';

export const findingTitles: Readonly<Record<FindingKind, string>> = {
  future: 'Clock ahead',
  late: 'Late',
  stuck: 'Stuck',
  'unknown-parent': 'Parent missing',
  duplicate: 'Sent twice',
  'look-alike': 'Similar names',
  silent: 'Silent',
  unversioned: 'No version',
  contradicted: 'Contradicts its token',
  unproven: 'Shared key',
  'resolved-before-opened': 'Resolved too early',
  'open-long': 'Outage open for long',
  'unknown-service': 'Unknown service',
  unlinked: 'Outage without a cause',
};

/** A note on the findings in one slot: "the log has a finding here: Clock ahead"; `undefined` without findings. */
export function findingNote(findings: readonly Pick<Finding, 'kind'>[]): string | undefined {
  if (findings.length === 0) return undefined;
  const titles = findings.map(({ kind }) => findingTitles[kind]).join(', ');
  return `the log has ${findings.length === 1 ? 'a finding' : pluralize(findings.length, 'finding')} here: ${titles}`;
}
