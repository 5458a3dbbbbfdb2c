import type { Finding, FindingKind } from '@shiplog/contract';
import type { Queries } from '../db/database.ts';
import { countDuplicates, countFuture, countLate, countUnknownParents } from '../db/quality/faulty-events.ts';
import { readNames } from '../db/quality/names.ts';
import { countContradicted, countUnproven } from '../db/quality/proofs.ts';
import { readReporters } from '../db/quality/reporters.ts';
import { countStuck } from '../db/quality/stuck.ts';
import { countUnversioned } from '../db/quality/unversioned.ts';
import { type FindingSettings, findingsOf } from '../domain/finding.ts';
import { isPrompt, reporterOf } from '../domain/reporter.ts';
import type { Scope } from '../domain/scope.ts';

/**
 * Reporters and findings at the moment of the snapshot, in milliseconds since the Unix epoch.
 * @param judgeOutages finds what is wrong with outages.
 */
export async function judgeQuality(
  queries: Queries,
  scope: Scope | undefined,
  { kinds, provenEnvironments }: FindingSettings,
  judgeOutages: (now: number) => Promise<readonly Finding[]> = async () => [],
) {
  const of = <Found>(found: FindingKind, count: () => Promise<Found>, none: Found) =>
    kinds.includes(found) ? count() : none;
  const { now, reporters } = await readReporters(queries);
  const emitters = reporters.map((rows) => reporterOf(rows, now));
  const prompt = reporters.filter(isPrompt);
  const slots = {
    future: await of('future', () => countFuture(queries, scope), []),
    late: await of('late', () => countLate(queries, scope, prompt), []),
    stuck: await of('stuck', () => countStuck(queries, scope), []),
    'unknown-parent': await of('unknown-parent', () => countUnknownParents(queries, scope), []),
    duplicate: await of('duplicate', () => countDuplicates(queries, scope), []),
    unversioned: await of('unversioned', () => countUnversioned(queries, scope), []),
    contradicted: await of('contradicted', () => countContradicted(queries, scope), []),
    unproven: await of('unproven', () => countUnproven(queries, scope, provenEnvironments), []),
  };
  const names = await of('look-alike', () => readNames(queries, scope), { services: [], environments: [] });
  const ofOutages = (await judgeOutages(now)).filter(({ kind }) => kinds.includes(kind));
  return { now, emitters, findings: findingsOf(slots, names, { reporters: emitters, ofOutages }) };
}
