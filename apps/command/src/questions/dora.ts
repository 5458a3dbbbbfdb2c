import type { AnalyticsKpi } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes } from '../failure.ts';
import { periodQuery, scopeQuery } from './asked.ts';
import { show } from './listing.ts';

/** The four keys by the names of the API, in its order. */
export const keyFigures = ['deployment_frequency', 'lead_time', 'change_failure_rate', 'time_to_restore'] as const;

/** What is left out of a table, and would make a figure say more than it does. */
export const leadTimeNote =
  'lead_time is approximated from chains of promotions; it is no measured time from commit to production.';

/** `shiplog dora`: the four keys of a period, of everything or of what globs match (command.md 4). */
export async function showDora({ options }: Given, context: Context): Promise<number> {
  const { out, signal, clock } = context;
  const { compare } = options as { readonly compare?: boolean };
  const client = await context.client();
  const query = {
    ...(await periodQuery(options, { client, now: clock.now(), signal })),
    ...scopeQuery(options),
    ...(compare && { compare: 'previous' as const }),
  };
  const { body } = await client.getDora({ query, signal });
  if (out.isJson) {
    out.json(body);
    return exitCodes.done;
  }
  const { from, to, days, clamped } = body.window;
  show(out, {
    head: ['figure', 'value', 'unit', 'class', 'trend', ...(compare ? ['before'] : [])],
    rows: keyFigures.map((name) => [name, ...cellsOf(body[name])]),
  });
  out.note(`${days} days, from ${from} to ${to}${clamped ? ', narrowed to what the service keeps' : ''}.`);
  out.note(leadTimeNote);
  return exitCodes.done;
}

function cellsOf(kpi: AnalyticsKpi): string[] {
  const { value, unit, classification, trend_delta, approximated, previous } = kpi;
  const trend = trend_delta === null ? '' : `${trend_delta >= 0 ? '+' : ''}${(100 * trend_delta).toFixed(1)}%`;
  const shown = (one: number | null) =>
    one === null ? 'none' : `${approximated ? '~' : ''}${Number(one.toPrecision(4))}`;
  return [shown(value), unit, classification, trend, ...(previous === undefined ? [] : [shown(previous)])];
}
