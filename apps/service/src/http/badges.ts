import { type DeploymentEvent, endpoints, headerNames } from '@shiplog/contract';
import { type Answer, etagMatches, weakEtag } from '@shiplog/server';
import type { Queries } from '../db/database.ts';
import { latestEventsOf } from '../db/deployments.ts';
import { standingOf } from '../domain/badge.ts';
import { badgeSvg } from '../domain/badge-svg.ts';
import type { CoreApi } from './api.ts';

const { mediaType } = endpoints.getBadge.replies[200];

/** Opened by itself it may do nothing at all, whatever names it shows. */
const contentPolicy = "default-src 'none'; sandbox";

/** `GET /badges/{service}/{environment}.svg`. */
export function addBadges(api: CoreApi, queries: Queries): void {
  api.serve('getBadge', async ({ params, query, headers }): Promise<Answer> => {
    const { service, environment } = params;
    // NUL is in no name, and in no text of the database.
    const isName = !`${service}${environment}`.includes('\0');
    const latest = isName ? await latestEventsOf(queries, params) : [];
    const standing = standingOf(latest.map((event) => JSON.parse(event) as DeploymentEvent));
    const svg = badgeSvg({ service, environment, label: query.label ?? environment, standing });
    const etag = weakEtag(svg);
    const answer = {
      // Places that show pictures of others, such as GitHub's, keep them for hours unless each use has to ask again.
      headers: { [headerNames.etag]: etag, 'Cache-Control': 'no-cache', 'Content-Security-Policy': contentPolicy },
    };
    return etagMatches(headers[headerNames.ifNoneMatch], etag)
      ? { ...answer, status: 304 }
      : { ...answer, status: 200, text: { mediaType, content: svg } };
  });
}
