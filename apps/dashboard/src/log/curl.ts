import { searchOf } from '@shiplog/client';
import { endpoints } from '@shiplog/contract';
import type { ListQuery } from './log-query.ts';

/** The command that reads one event. `baseUrl` has no slash at its end. */
export function curlOfEvent(baseUrl: string, id: string): string {
  return curlOf(`${baseUrl}${endpoints.getDeployment.path.replace('{id}', encodeURIComponent(id))}`);
}

/** The command that reads the first page of a listing. */
export function curlOfListing(baseUrl: string, query: ListQuery & { readonly limit?: number }): string {
  return curlOf(`${baseUrl}${endpoints.listDeployments.path}${searchOf({ ...query })}`);
}

/** Without `-g` curl itself would expand brackets and braces of a URL. */
function curlOf(url: string): string {
  return `curl -sSg ${shellQuoted(url)}`;
}

/** Any text as one argument of a POSIX shell: between single quotes only the quote itself has a meaning. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
