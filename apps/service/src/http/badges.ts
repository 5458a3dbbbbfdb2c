import { type DeploymentEvent, endpoints, headerNames } from '@shiplog/contract';
import { type Answer, etagMatches, weakEtag } from '@shiplog/server';
import type { Queries } from '../db/database.ts';
import { latestEventsOf } from '../db/deployments.ts';
import { badgeStatusOf } from '../domain/badge.ts';
import { badgeSvg } from '../domain/badge-svg.ts';
import type { CoreApi } from './api.ts';

const { mediaType } = endpoints.getBadge.replies[200];

/** An SVG that is opened directly must not run any code, whatever names it contains. */
const contentPolicy = "default-src 'none'; sandbox";

/** `GET /badges/{service}/{environment}.svg`. */
export function addBadges(api: CoreApi, queries: Queries): void {
  api.serve('getBadge', async ({ params, query, headers }): Promise<Answer> => {
    const { service, environment } = params;
    // The database can't store NUL.
    const isName = !`${service}${environment}`.includes('\0');
    const latest = isName ? await latestEventsOf(queries, params) : [];
    const status = badgeStatusOf(latest.map((event) => JSON.parse(event) as DeploymentEvent));
    const svg = badgeSvg({ service, environment, label: query.label ?? environment, status });
    const etag = weakEtag(svg);
    const answer = {
      // Image proxies (such as GitHub's) cache images for hours unless the headers require revalidation.
      headers: { [headerNames.etag]: etag, 'Cache-Control': 'no-cache', 'Content-Security-Policy': contentPolicy },
    };
    return etagMatches(headers[headerNames.ifNoneMatch], etag)
      ? { ...answer, status: 304 }
      : { ...answer, status: 200, text: { mediaType, content: svg } };
  });
}
