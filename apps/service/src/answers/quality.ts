import { type FindingKind, findingKinds } from '@shiplog/contract';
import type { Queries } from '../db/database.ts';
import { countDuplicates, countFuture, countLate, countUnknownParents } from '../db/quality/faulty-events.ts';
import { readNames } from '../db/quality/names.ts';
import { readReporters } from '../db/quality/reporters.ts';
import { countStuck } from '../db/quality/stuck.ts';
import { countUnversioned } from '../db/quality/unversioned.ts';
import { findingsOf } from '../domain/finding.ts';
import { isPrompt, reporterOf } from '../domain/reporter.ts';
import type { Scope } from '../domain/scope.ts';

/** Reporters and findings at the moment of the snapshot, in milliseconds since the Unix epoch. */
export async function judgeQuality(
  queries: Queries,
  scope: Scope | undefined,
  kinds: readonly FindingKind[] = findingKinds,
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
  };
  const names = await of('look-alike', () => readNames(queries, scope), { services: [], environments: [] });
  return { now, emitters, findings: findingsOf(slots, names, emitters) };
}
