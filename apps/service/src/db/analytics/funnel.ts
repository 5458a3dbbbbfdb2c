import type { StageCount } from '../../domain/promotion-ladder.ts';
import { likePatterns, type Scope, type Selection } from '../../domain/scope.ts';
import type { Queries } from '../database.ts';
import { instantsOf, rowsWithin, within } from './span.ts';

/** Distinct deployments with a row of any status in the environments of each stage (reading 5.11). */
export async function countByStage(
  queries: Queries,
  { window, scope }: Selection,
  stages: readonly { readonly environment: string; readonly stage: string }[],
): Promise<StageCount[]> {
  const [from, , to] = instantsOf(window);
  const place = within(scope, 'slot', 5);
  const rows = scope
    ? `(${rowsWithin('row.deployment_id, row.environment', place.text, '$2')}) rows`
    : 'deployments where happened_at >= $1 and happened_at < $2';
  // Where a stage has one environment, a deployment that was there once was in the stage once.
  const isEachOne = new Set(stages.map(({ stage }) => stage)).size === stages.length;
  return queries.query<StageCount>(
    {
      text: `
        select stage as environment, count(${isEachOne ? '*' : 'distinct deployment_id'})::float8 as count
        from (select distinct deployment_id, environment from ${rows} offset 0) reached
        join unnest($3::text[], $4::text[]) as ladder (environment, stage) using (environment)
        group by stage`,
    },
    [from, to, stages.map(({ environment }) => environment), stages.map(({ stage }) => stage), ...place.values],
  );
}

/** The stages of a ladder whose configured names a scope matches, in their order (questions.md 12.2). */
export async function stagesWithin(
  queries: Queries,
  ladder: readonly string[],
  scope: Scope | undefined,
): Promise<readonly string[]> {
  if (!scope) return ladder;
  const matching = await queries.query<{ stage: string }>(
    { text: 'select stage from unnest($1::text[]) as stage where stage like any($2::text[])' },
    [ladder, likePatterns(scope.environments)],
  );
  return ladder.filter((stage) => matching.some((match) => match.stage === stage));
}
