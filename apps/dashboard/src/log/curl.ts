import { searchOf } from '@shiplog/client';
import { endpoints } from '@shiplog/contract';
import { shellQuoted } from '@shiplog/text';
import type { ListQuery } from './log-query.ts';

/** The command that gets one event. `baseUrl` has no trailing slash. */
export function curlOfEvent(baseUrl: string, id: string): string {
  return curlOf(`${baseUrl}${endpoints.getDeployment.path.replace('{id}', encodeURIComponent(id))}`);
}

/** The command that gets the first page of a listing. */
export function curlOfListing(baseUrl: string, query: ListQuery & { readonly limit?: number }): string {
  return curlOf(`${baseUrl}${endpoints.listDeployments.path}${searchOf({ ...query })}`);
}

/** Without `-g`, curl would expand brackets and braces in the URL. */
function curlOf(url: string): string {
  return `curl -sSg ${shellQuoted(url)}`;
}
