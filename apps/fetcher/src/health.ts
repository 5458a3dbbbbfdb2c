import { type FetcherHealth, fetcherLimits, type SourceHealth } from '@shiplog/companions';
import { productVersion } from '@shiplog/contract';
import type { SourceFigures } from './adapter.ts';

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
  const works = ({ last_outcome }: SourceHealth) => last_outcome === null || last_outcome === 'ok';
  const isWell = (source: SourceHealth) => works(source) && source.last_error === null && source.failing.length === 0;
  return {
    status: sources.every(isWell) ? 'ok' : sources.some(works) ? 'degraded' : 'error',
    version: productVersion,
    component_id: componentId,
    started_at: startedAt.toISOString(),
    paused_for_reset: isPaused,
    queue,
    sources: [...sources],
  };
}

/** What is missing of what was configured, in sentences; null where nothing is. */
export function lackOf({ forbidden, lacks }: Pick<SourceFigures, 'forbidden' | 'lacks'>): string | null {
  const shown = forbidden.slice(0, fetcherLimits.forbiddenShown).join(', ');
  const more = forbidden.length - fetcherLimits.forbiddenShown;
  const refused = `The tool refuses ${shown}${more > 0 ? ` and ${more} more` : ''}, or does not know them. Check the names and what the token may read, or leave them out.`;
  const sentences = [...(forbidden.length > 0 ? [refused] : []), ...lacks];
  return sentences.length === 0 ? null : sentences.join(' ');
}
