import { type DeploymentEvent, limits } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { refuseUnknown } from '../log/known-names.ts';
import { listedPages } from '../log/listed.ts';
import { eventCells, statusStyle } from './event-words.ts';
import { show } from './listing.ts';
import { limitOf } from './query-options.ts';

const limitDefault = 20;

/** `shiplog history <service> <environment>`: prints the events of a slot, newest first (command.md 4). */
export async function showHistory({ args, options }: Given, context: Context): Promise<number> {
  const [service = '', environment = ''] = args;
  if (service === '' || environment === '') throw usageFailure('Give the names of a service and an environment.');
  const limit = limitOf(options.limit, limitDefault);
  const client = await context.client();
  const events: DeploymentEvent[] = [];
  const query = { service, environment, limit: Math.min(limit, limits.pageSizeMax) };
  for await (const { items } of listedPages(client, query, context.signal)) {
    events.push(...items.slice(0, limit - events.length));
    if (events.length >= limit) break;
  }
  if (events.length === 0)
    await refuseUnknown(client, { services: [service], environments: [environment] }, context.signal);
  const { out } = context;
  if (out.isJson) for (const event of events) out.json(event);
  else if (events.length === 0) out.note('No events found.');
  else {
    show(out, {
      head: ['happened at', 'status', 'service', 'environment', 'release', 'actor', 'id'],
      rows: events.map(eventCells),
      styleOf: (text, column) => (column === 1 ? statusStyle(text) : undefined),
    });
  }
  return exitCodes.done;
}
