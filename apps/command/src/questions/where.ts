import { pagesOf } from '@shiplog/client';
import { limits, type Release } from '@shiplog/contract';
import { ageOf, releaseName } from '@shiplog/text';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes } from '../failure.ts';
import { statusStyle } from './event-words.ts';
import { show } from './listing.ts';
import { limitOf } from './query-options.ts';
import { matrixLines, matrixTable } from './shown-matrix.ts';

const limitDefault = 20;

/** `shiplog where <service|version|sha>` (command.md 4). */
export async function showWhere({ args: [requested = ''], options }: Given, context: Context): Promise<number> {
  const { out, signal, clock } = context;
  const limit = limitOf(options.limit, limitDefault);
  const client = await context.client();
  const { body: matrix } = await client.getMatrix({ query: { service: requested }, signal });
  if (requested !== '' && matrix.rows.length > 0) {
    if (out.isJson) out.json(matrix);
    else show(out, out.isTerminal ? matrixTable(matrix, clock.now()) : { head: [], rows: matrixLines(matrix) });
    return exitCodes.done;
  }
  const found = requested.length < limits.releaseQueryMin ? [] : await releasesOf(context, requested, limit);
  if (out.isJson) for (const release of found) out.json(release);
  else if (found.length > 0) showReleases(found, context);
  if (found.length > 0) return exitCodes.done;
  out.note(out.text(`No service, version or sha matches ${requested}.`));
  return exitCodes.no;
}

async function releasesOf({ client, signal }: Context, q: string, limit: number): Promise<Release[]> {
  const { listReleases } = await client();
  const pages = pagesOf(async (cursor) => {
    return (await listReleases({ query: { q, limit: Math.min(limit, limits.pageSizeMax), cursor }, signal })).body;
  });
  const found: Release[] = [];
  for await (const { items } of pages) {
    found.push(...items.slice(0, limit - found.length));
    if (found.length >= limit) break;
  }
  return found;
}

function showReleases(found: readonly Release[], { out, clock }: Context): void {
  const now = clock.now().getTime();
  show(out, {
    head: ['service', 'release', 'environment', 'status', 'since', 'age', 'actor'],
    rows: found.flatMap((release) =>
      Object.entries(release.places).map(([environment, { event, since }]) => [
        release.service,
        releaseName(event),
        environment,
        since === null ? `${event.status}, not running` : 'running',
        since ?? event.happened_at,
        ageOf(Date.parse(since ?? event.happened_at), now),
        event.actor ?? '',
      ]),
    ),
    styleOf: (text, column) => (column === 3 ? statusStyle(text === 'running' ? 'success' : '') : undefined),
  });
}
