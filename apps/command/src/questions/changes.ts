import { pagesOf } from '@shiplog/client';
import { type Change, type ChangesPage, limits, type NetChange, type Status } from '@shiplog/contract';
import { pluralize, releaseName } from '@shiplog/text';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { refuseUnknownStages } from '../log/stages.ts';
import type { Output } from '../output.ts';
import { inMinutes, statusStyle } from './event-words.ts';
import { type Listing, show } from './listing.ts';
import { rangeQuery, scopeQuery } from './query-options.ts';

/**
 * `shiplog changes`: the deployments in a time range, or what the range changed in each place (changes.md 4). A range
 * may have many pages, so each page is printed when it arrives.
 */
export async function showChanges({ options }: Given, context: Context): Promise<number> {
  const { net, state } = options as { readonly net?: boolean; readonly state?: Status[] };
  if (net && state) throw usageFailure('Give --net or --state, not both.');
  const { out, signal, clock } = context;
  const query = {
    ...rangeQuery(options, clock.now()),
    ...scopeQuery(options),
    state,
    ...(net && { net: 'true' as const }),
    limit: limits.pageSizeMax,
  };
  const client = await context.client();
  await refuseUnknownStages(client, query.environments, signal);
  const pages = pagesOf(async (cursor) => (await client.listChanges({ query: { ...query, cursor }, signal })).body);
  let last: ChangesPage | undefined;
  let listed = 0;
  for await (const page of pages) {
    if (out.isJson) for (const item of [...page.ahead, ...page.items]) out.json(item);
    else print(page, out);
    listed += page.ahead.length + page.items.length;
    last = page;
  }
  if (last && !out.isJson) {
    out.note(summaryOf(last));
    if (listed === 0 && last.counts.changes > 0) out.note(`No deployment in this state: ${state?.join(', ')}.`);
  }
  return exitCodes.done;
}

function print({ ahead, items }: ChangesPage, out: Output): void {
  if (ahead.length > 0) {
    out.note('Dated in the future:');
    show(out, changesListing(ahead));
    if (out.isTerminal && items.length > 0) out.line('');
  }
  if (items.length > 0) show(out, isNet(items) ? netListing(items) : changesListing(items));
}

function isNet(items: ChangesPage['items']): items is NetChange[] {
  return items.some((item) => 'changed' in item);
}

const rollbackMark = ' (rollback)';

function changesListing(changes: readonly Change[]): Listing {
  return {
    head: ['ended or started', 'service', 'environment', 'state', 'release', 'actor', 'duration'],
    rows: changes.map((change) => {
      const { started_at, ended_at, service, environment, state, previous, rollback, actor, minutes } = change;
      const releases = [previous ? releaseName(previous) : '', releaseName(change) || change.deployment_id];
      const release = releases.filter((name) => name !== '').join(' → ');
      return [
        ...[ended_at ?? started_at, service, environment, state],
        ...[`${release}${rollback ? rollbackMark : ''}`, actor ?? '', inMinutes(minutes)],
      ];
    }),
    styleOf: (text, column) => {
      if (column === 3) return statusStyle(text);
      return column === 4 && text.endsWith(rollbackMark) ? 'yellow' : undefined;
    },
  };
}

function netListing(places: readonly NetChange[]): Listing {
  const nameOf = (release: NetChange['after']) => (release === null ? 'not deployed' : releaseName(release) || '?');
  return {
    head: ['service', 'environment', 'release', 'deployments', 'failed'],
    rows: places.map(({ service, environment, before, after, changed, changes, failed }) => [
      ...[service, environment],
      changed ? `${nameOf(before)} → ${nameOf(after)}` : `${nameOf(after)} (unchanged)`,
      ...[String(changes), String(failed)],
    ]),
    styleOf: (text, column) => (column === 4 && text !== '0' ? 'red' : undefined),
  };
}

function summaryOf({ from, to, counts }: ChangesPage): string {
  const { changes, services, by_state, elsewhere } = counts;
  const states = Object.entries(by_state).flatMap(([state, count]) => (count > 0 ? [`${count} ${state}`] : []));
  const found =
    changes === 0
      ? `No deployments from ${from} to ${to}.`
      : `${pluralize(changes, 'deployment')} of ${pluralize(services, 'service')} from ${from} to ${to}: ${states.join(', ')}.`;
  return elsewhere === 0 ? found : `${found} Outside the filter: ${elsewhere}.`;
}
