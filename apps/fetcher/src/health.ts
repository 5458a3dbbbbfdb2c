import { type CalendarHealth, type FetcherHealth, fetcherLimits, type SourceHealth } from '@shiplog/companions';
import type { SourceFigures } from './adapter.ts';

type Part = Pick<SourceHealth | CalendarHealth, 'last_outcome' | 'last_error'> & Partial<Pick<SourceHealth, 'failing'>>;

/**
 * The contents of `/health` and `/readyz` (fetcher §13.2). A source or a calendar that hasn't been read yet counts as
 * healthy.
 */
export function healthOf(
  component: Omit<FetcherHealth, 'status' | 'queue' | 'sources' | 'calendars'>,
  { queue, sources, calendars = [] }: Pick<FetcherHealth, 'queue' | 'sources' | 'calendars'>,
): FetcherHealth {
  const parts: readonly Part[] = [...sources, ...calendars];
  const works = ({ last_outcome }: Part) => last_outcome === null || last_outcome === 'ok';
  const isHealthy = (part: Part) => works(part) && part.last_error === null && !part.failing?.length;
  return {
    status: parts.every(isHealthy) ? 'ok' : parts.some(works) ? 'degraded' : 'error',
    ...component,
    queue,
    sources,
    ...(calendars.length > 0 && { calendars }),
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
