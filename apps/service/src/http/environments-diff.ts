import { headerNames } from '@shiplog/contract';
import { readDiff, type ServiceDiff } from '../db/environments-diff.ts';
import { logMark } from '../db/log-mark.ts';
import type { LogReads } from '../db/log-reads.ts';
import { countRelations, relationOf } from '../domain/environments-diff.ts';
import { scopeShape } from '../domain/scope.ts';
import type { CoreApi } from './api.ts';
import { asOf } from './as-of.ts';
import type { ClientReads } from './client-reads.ts';
import { requestedScope, type ScopeSources } from './scope.ts';
import { SlowAnswers } from './slow-answers.ts';

export interface EnvironmentsDiffParts extends ScopeSources {
  readonly reads: LogReads;
  readonly clients: ClientReads;
}

/** `GET /api/environments/diff` (questions.md 8 and 12.8). */
export function addEnvironmentsDiff(api: CoreApi, sources: EnvironmentsDiffParts): void {
  const { queries, reads } = sources;
  const diffs = new SlowAnswers('diff', sources.clients);
  api.serve('diffEnvironments', async ({ query: { from, to, ...query }, headers, request }) => {
    const named = namesAsSent(request.originalUrl);
    const { at, until } = await asOf(queries, query.at);
    const scope = await requestedScope(sources, { services: query.services, teams: query.teams });
    return diffs.answer({
      request,
      isCold: false,
      ifNoneMatch: headers[headerNames.ifNoneMatch],
      key: JSON.stringify([named, at, until, scope]),
      state: () => logMark(queries),
      compute: async () => {
        const { tick, result: services } = await reads.quick(
          (log) => readDiff(log, { from, to, until, scope }),
          at === undefined ? 'present' : 'past',
        );
        const said = JSON.stringify({ ...named, at: at ?? null, ...(scope && { scope: scopeShape(scope) }) });
        const json = `${said.slice(0, -1)},${items(services)}}`;
        return { tick, content: [json], json };
      },
    });
  });
}

/** Includes names that match nothing (reading 1.6); broken percent-encoding is decoded as browsers do. */
function namesAsSent(url: string): { readonly from: string | null; readonly to: string | null } {
  const sent = new URLSearchParams(url.replace(/^[^?]*\?/s, ''));
  return { from: sent.get('from'), to: sent.get('to') };
}

/** The members `items` and `counts`; events are inserted as stored. */
function items(services: readonly ServiceDiff[]): string {
  const relations = services.map(relationOf);
  const texts = services.map(({ service, fromEvent, toEvent, ...facts }, index) => {
    const relation = relations[index];
    const { behind, since } = relation === 'ahead' ? facts : { behind: null, since: null };
    const plain = JSON.stringify({ service, relation, behind, since });
    return `${plain.slice(0, -1)},"from":${fromEvent},"to":${toEvent}}`;
  });
  return `"items":[${texts.join(',')}],"counts":${JSON.stringify(countRelations(relations))}`;
}
