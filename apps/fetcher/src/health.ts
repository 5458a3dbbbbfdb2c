import { type FetcherHealth, fetcherLimits, type SourceHealth } from '@shiplog/companions';
import type { SourceFigures } from './adapter.ts';

/** The contents of `/health` and `/readyz` (fetcher §13.2). A source that hasn't been polled yet counts as healthy. */
export function healthOf(
  component: Omit<FetcherHealth, 'status' | 'queue' | 'sources'>,
  { queue, sources }: Pick<FetcherHealth, 'queue' | 'sources'>,
): FetcherHealth {
  const works = ({ last_outcome }: SourceHealth) => last_outcome === null || last_outcome === 'ok';
  const isHealthy = (source: SourceHealth) =>
    works(source) && source.last_error === null && source.failing.length === 0;
  return {
    status: sources.every(isHealthy) ? 'ok' : sources.some(works) ? 'degraded' : 'error',
    ...component,
    queue,
    sources,
  };
}

/** Sentences about configured places that have nothing to poll; null if there are no such places. */
export function warningOf({ forbidden, warnings }: Pick<SourceFigures, 'forbidden' | 'warnings'>): string | null {
  const shown = forbidden.slice(0, fetcherLimits.forbiddenShown).join(', ');
  const more = forbidden.length - fetcherLimits.forbiddenShown;
  const refused = `No access to ${shown}${more > 0 ? ` and ${more} more` : ''}. Check the names and the token's permissions, or remove them.`;
  const sentences = [...(forbidden.length > 0 ? [refused] : []), ...warnings];
  return sentences.length === 0 ? null : sentences.join(' ');
}
