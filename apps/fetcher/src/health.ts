import type { FetcherHealth, SourceHealth } from '@shiplog/companions';
import { productVersion } from '@shiplog/contract';

export interface HealthParts {
  readonly componentId: string;
  readonly startedAt: Date;
  readonly isPaused: boolean;
  /** Deliveries that are not stored yet. */
  readonly queue: number;
  readonly sources: readonly SourceHealth[];
}

/** What `/health` and `/readyz` answer (fetcher §13.2). A source that was not asked yet is as good as well. */
export function healthOf({ componentId, startedAt, isPaused, queue, sources }: HealthParts): FetcherHealth {
  const well = sources.filter(({ last_outcome }) => last_outcome === null || last_outcome === 'ok').length;
  const isWell = well === sources.length;
  return {
    status: isWell ? 'ok' : well > 0 ? 'degraded' : 'error',
    version: productVersion,
    component_id: componentId,
    started_at: startedAt.toISOString(),
    paused_for_reset: isPaused,
    queue,
    sources: [...sources],
  };
}
