import { headerNames, limits } from '@shiplog/contract';
import { conditionalAnswer, malformedCursor } from '@shiplog/server';
import type { Queries } from '../db/database.ts';
import { logMark } from '../db/log-mark.ts';
import type { LogReads } from '../db/log-reads.ts';
import { countDuplicates } from '../db/quality/duplicates.ts';
import { readReporters } from '../db/quality/emitters.ts';
import { countMisdated } from '../db/quality/misdated.ts';
import { readNames } from '../db/quality/names.ts';
import { countStuck } from '../db/quality/stuck.ts';
import { countUnknownParents } from '../db/quality/unknown-parents.ts';
import { countUnversioned } from '../db/quality/unversioned.ts';
import { emitterOf, isPrompt } from '../domain/emitter.ts';
import { countsOf, type FindingKey, findingPage, findingsOf, parseFindingCursor } from '../domain/finding.ts';
import { type Scope, scopeShape } from '../domain/scope.ts';
import type { CoreApi } from './api.ts';
import { askedScope, type ScopeSources } from './scope.ts';

export interface QualityParts extends ScopeSources {
  readonly reads: LogReads;
}

/**
 * `GET /api/quality` (questions.md 10). Its answers go by the present, so that none is known to hold while the log stays
 * as it is.
 */
export function addQuality(api: CoreApi, parts: QualityParts): void {
  api.serve('getQuality', async ({ query, headers }) => {
    const after = findingKey(query.cursor);
    // A quick read, so that a database that says nothing is told of in the time of one (reading 8.3).
    const mark = await logMark(parts.queries);
    const scope = await askedScope(parts, query);
    const { result } = await parts.reads.long(mark, (log) => judge(log, scope));
    const { emitters, findings, now } = result;
    const wanted = query.kind ? findings.filter(({ kind }) => query.kind?.includes(kind)) : findings;
    const { items, next } = findingPage(wanted, after, query.limit ?? limits.pageSizeDefault);
    const content = {
      ...(scope && { scope: scopeShape(scope) }),
      emitters,
      findings: items,
      counts: countsOf(findings),
      next_cursor: next,
    };
    return conditionalAnswer(headers[headerNames.ifNoneMatch], {
      content: [JSON.stringify(content)],
      json: JSON.stringify({ generated_at: new Date(now).toISOString(), ...content }),
    });
  });
}

async function judge(queries: Queries, scope: Scope | undefined) {
  const { now, reporters } = await readReporters(queries);
  const emitters = reporters.map((rows) => emitterOf(rows, now));
  const prompt = reporters.filter(isPrompt).map(({ reporter }) => reporter);
  const slots = {
    ...(await countMisdated(queries, scope, prompt)),
    stuck: await countStuck(queries, scope),
    'unknown-parent': await countUnknownParents(queries, scope),
    duplicate: await countDuplicates(queries, scope),
    unversioned: await countUnversioned(queries, scope),
  };
  return { now, emitters, findings: findingsOf(slots, await readNames(queries, scope), emitters) };
}

function findingKey(cursor: string | undefined): FindingKey | undefined {
  const key = cursor === undefined ? undefined : parseFindingCursor(cursor);
  if (cursor !== undefined && !key) throw malformedCursor();
  return key;
}
