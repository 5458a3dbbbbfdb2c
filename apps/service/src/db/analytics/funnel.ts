import type { Window } from '../../domain/analytics-window.ts';
import type { StageCount } from '../../domain/promotion-ladder.ts';
import type { Queries } from '../database.ts';
import { instantsOf } from './span.ts';

/** Distinct deployments with a row of any status in the environments of each stage (reading 5.11). */
export async function countByStage(
  queries: Queries,
  window: Window,
  stages: readonly { readonly environment: string; readonly stage: string }[],
): Promise<StageCount[]> {
  const [from, , to] = instantsOf(window);
  return queries.query<StageCount>(
    {
      text: `
        select stage as environment, count(*)::float8 as count
        from (
          select distinct stage, deployment_id
          from unnest($3::text[], $4::text[]) as ladder (environment, stage)
          join deployments using (environment)
          where happened_at >= $1 and happened_at < $2
        ) reached
        group by stage`,
    },
    [from, to, stages.map(({ environment }) => environment), stages.map(({ stage }) => stage)],
  );
}
