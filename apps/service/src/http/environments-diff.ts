import { readDiff, type ServiceDiff } from '../db/environments-diff.ts';
import { countRelations, relationOf } from '../domain/environments-diff.ts';
import { scopeShape } from '../domain/scope.ts';
import type { CoreApi } from './api.ts';
import { asOf } from './as-of.ts';
import { requestedScope } from './scope.ts';
import { SlowAnswers, type SlowParts } from './slow-answers.ts';

/** `GET /api/environments/diff` (questions.md 8 and 12.8). */
export function addEnvironmentsDiff(api: CoreApi, parts: SlowParts): void {
  const { queries, reads } = parts;
  const diffs = new SlowAnswers('diff', parts);
  api.serve('diffEnvironments', async ({ query: { from, to, ...query }, headers, request }) => {
    const named = namesAsSent(request.originalUrl);
    const { at, until } = await asOf(queries, query.at);
    const scope = await requestedScope(parts, { services: query.services, teams: query.teams });
    return diffs.answer({
      headers,
      request,
      isCold: false,
      key: JSON.stringify([named, at, until, scope]),
      compute: async () => {
        const { state, result: services } = await reads.folded(
          (log, { below }) => readDiff(log, { from, to, until, scope, below }),
          { kind: at === undefined ? 'quick' : 'past' },
        );
        const head = JSON.stringify({ ...named, at: at ?? null, ...(scope && { scope: scopeShape(scope) }) });
        return { state, json: `${head.slice(0, -1)},${items(services)}}` };
      },
    });
  });
}

/** Accepts names that match nothing (reading 1.6). Decodes invalid percent-encoding as browsers do. */
function namesAsSent(url: string): { readonly from: string | null; readonly to: string | null } {
  const sent = new URLSearchParams(url.replace(/^[^?]*\?/s, ''));
  return { from: sent.get('from'), to: sent.get('to') };
}

/** The members `items` and `counts`. Events are inserted as stored. */
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
