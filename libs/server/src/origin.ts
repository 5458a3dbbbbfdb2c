import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from './problem.ts';

/**
 * Whether a browser sent this from a page of another site (reading 9.8): a page that a developer visits must not be
 * able to wipe the history. Programs other than browsers send neither header.
 */
export function isForeign({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}

export function foreignOrigin(): Problem {
  return new Problem('forbidden-origin', {
    detail: "A browser sent this from another site's page. Open this program's own panel.",
  });
}
