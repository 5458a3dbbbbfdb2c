import { pluralize } from '@shiplog/text';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes } from '../failure.ts';
import { globs } from '../log/globs.ts';
import { listedPages, oldestFirst } from '../log/listed.ts';
import { instantOf } from '../time-options.ts';

/** `shiplog export` (command.md 5.2). */
export async function exportLog({ options }: Given, context: Context): Promise<number> {
  const { since, until, services } = options as { since?: string; until?: string; services?: readonly string[] };
  const now = context.clock.now();
  const query = {
    since: instantOf('--since', since, now),
    until: instantOf('--until', until, now),
  };
  const isIncluded = globs('--services', services);
  const client = await context.client();
  const { out } = context;
  let count = 0;
  for await (const event of oldestFirst(listedPages(client, query, context.signal))) {
    if (!isIncluded(event.service)) continue;
    out.json(event);
    count += 1;
  }
  out.note(`${pluralize(count, 'event')} exported.`);
  return exitCodes.done;
}
