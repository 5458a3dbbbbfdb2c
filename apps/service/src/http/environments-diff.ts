import { listEnvironments } from '../db/discovery.ts';
import { readDiff, type ServiceDiff } from '../db/environments-diff.ts';
import { readStagesDiff, type StagesDiff } from '../db/stages-diff.ts';
import type { AnalyticsSettings } from '../domain/analytics-window.ts';
import { countRelations, relationOf } from '../domain/environments-diff.ts';
import { environmentsIn, stagesOf } from '../domain/promotion-order.ts';
import { scopeShape } from '../domain/scope.ts';
import type { CoreApi } from './api.ts';
import { asOf } from './as-of.ts';
import { requestedScope, requestedStage } from './scope.ts';
import { SlowAnswers, type SlowParts } from './slow-answers.ts';

interface DiffParts extends SlowParts {
  readonly settings: AnalyticsSettings;
}

/** `GET /api/environments/diff` (questions.md 8 and 12.8, stages.md 4.8 to 4.11). */
export function addEnvironmentsDiff(api: CoreApi, parts: DiffParts): void {
  const { queries, reads, settings } = parts;
  const diffs = new SlowAnswers('diff', parts);
  api.serve('diffEnvironments', async ({ query: { from, to, ...query }, headers, request }) => {
    const named = namesAsSent(request.originalUrl);
    const stages = {
      from: requestedStage(from, '/from', settings.promotionOrder),
      to: requestedStage(to, '/to', settings.promotionOrder),
    };
    const { at, until } = await asOf(queries, query.at);
    const scope = await requestedScope(parts, { services: query.services, teams: query.teams });
    return diffs.answer({
      headers,
      request,
      isCold: false,
      key: JSON.stringify([named, at, until, scope]),
      compute: async () => {
        const { state, result: services } = await reads.folded(
          async (log, { below }): Promise<readonly (ServiceDiff | StagesDiff)[]> => {
            if (!stages.from && !stages.to) return readDiff(log, { from, to, until, scope, below });
            const staged = stagesOf(await listEnvironments(log), settings.promotionOrder);
            const sides = {
              from: stages.from ? environmentsIn(staged, stages.from.name) : [from],
              to: stages.to ? environmentsIn(staged, stages.to.name) : [to],
            };
            return readStagesDiff(log, { ...sides, release: 'oldest', until, scope, below });
          },
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
function items(services: readonly (ServiceDiff | StagesDiff)[]): string {
  const relations = services.map(relationOf);
  const texts = services.map(({ service, fromEvent, toEvent, ...facts }, index) => {
    const relation = relations[index];
    const { behind, since } = relation === 'ahead' ? facts : { behind: null, since: null };
    const plain = JSON.stringify({ service, relation, behind, since });
    const mixed = 'mixed' in facts ? `,"mixed":${JSON.stringify(facts.mixed)}` : '';
    return `${plain.slice(0, -1)},"from":${fromEvent},"to":${toEvent}${mixed}}`;
  });
  return `"items":[${texts.join(',')}],"counts":${JSON.stringify(countRelations(relations))}`;
}
