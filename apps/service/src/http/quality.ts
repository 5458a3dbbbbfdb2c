import { type FindingKind, findingKinds, headerNames, limits } from '@shiplog/contract';
import { conditionalAnswer, parsedCursor } from '@shiplog/server';
import { Flights, flightOf } from '../answers/flights.ts';
import type { Queries } from '../db/database.ts';
import { logMark } from '../db/log-mark.ts';
import { countDuplicates, countFuture, countLate, countUnknownParents } from '../db/quality/faulty-events.ts';
import { readNames } from '../db/quality/names.ts';
import { readReporters } from '../db/quality/reporters.ts';
import { countStuck } from '../db/quality/stuck.ts';
import { countUnversioned } from '../db/quality/unversioned.ts';
import { listRefusedPosts } from '../db/refused-posts.ts';
import { countsOf, findingPage, findingsOf, historyIn, parseFindingCursor } from '../domain/finding.ts';
import { isPrompt, reporterOf } from '../domain/reporter.ts';
import { type Scope, scopeShape } from '../domain/scope.ts';
import type { CoreApi } from './api.ts';
import { requestedScope } from './scope.ts';
import type { SlowParts } from './slow-answers.ts';

/**
 * `GET /api/quality` (questions.md 10). The response depends on the current time, so it is not cached, but concurrent
 * equal requests share one computation.
 */
export function addQuality(api: CoreApi, parts: SlowParts): void {
  const { queries, reads, clients } = parts;
  const judging = new Flights<Awaited<ReturnType<typeof judge>>>();
  api.serve('getQuality', async ({ query, headers, request }) => {
    const after = parsedCursor(query.cursor, parseFindingCursor);
    // Do a quick read first, so that an unresponsive database is detected within its timeout (reading 8.3).
    const { tick } = await logMark(queries);
    const scope = await requestedScope(parts, query);
    const { kind: asked = findingKinds } = query;
    // Count all kinds (questions.md 12.10), unless the client wants only those that it requested.
    const kinds = query.counts === 'asked' ? findingKinds.filter((kind) => asked.includes(kind)) : findingKinds;
    const key = JSON.stringify([scope, kinds]);
    const read = async () => (await reads.folded((log) => judge(log, scope, kinds), { isExact: true })).result;
    const share = () => judging.run(key, () => flightOf(read()), tick);
    const slowRead = { request, key: `quality ${key}`, isCold: false };
    const { emitters, findings, refused, now } = await clients.run(slowRead, share);
    const history = kinds.includes('late') ? historyIn(findings) : 0;
    const requested = findings.filter(({ kind }) => asked.includes(kind));
    const { items, next } = findingPage(requested, after, query.limit ?? limits.pageSizeDefault);
    const content = {
      ...(scope && { scope: scopeShape(scope) }),
      emitters,
      ...(refused.length > 0 && { refused }),
      findings: items,
      counts: countsOf(findings, kinds),
      ...(history > 0 && { late_before_reporters: history }),
      next_cursor: next,
    };
    return conditionalAnswer(headers[headerNames.ifNoneMatch], {
      content: [JSON.stringify(content)],
      json: JSON.stringify({ generated_at: new Date(now).toISOString(), ...content }),
    });
  });
}

async function judge(queries: Queries, scope: Scope | undefined, kinds: readonly FindingKind[]) {
  const of = <Found>(found: readonly FindingKind[], count: () => Promise<Found>, none: Found) =>
    kinds.some((kind) => found.includes(kind)) ? count() : none;
  const { now, reporters } = await readReporters(queries);
  const emitters = reporters.map((rows) => reporterOf(rows, now));
  const prompt = reporters.filter(isPrompt);
  const slots = {
    future: await of(['future'], () => countFuture(queries, scope), []),
    late: await of(['late'], () => countLate(queries, scope, prompt), []),
    stuck: await of(['stuck'], () => countStuck(queries, scope), []),
    'unknown-parent': await of(['unknown-parent'], () => countUnknownParents(queries, scope), []),
    duplicate: await of(['duplicate'], () => countDuplicates(queries, scope), []),
    unversioned: await of(['unversioned'], () => countUnversioned(queries, scope), []),
  };
  const names = await of(['look-alike'], () => readNames(queries, scope), { services: [], environments: [] });
  return { now, emitters, refused: await listRefusedPosts(queries), findings: findingsOf(slots, names, emitters) };
}
