import type { AnalyticsKpi, DoraReport } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes } from '../failure.ts';
import { show } from './listing.ts';
import { periodQuery, scopeQuery } from './query-options.ts';

/** The four DORA metrics by API name, in API order. */
export const keyFigures = ['deployment_frequency', 'lead_time', 'change_failure_rate', 'time_to_restore'] as const;

export const leadTimeNote =
  'lead_time is approximated from chains of promotions, not measured from commit to production.';

/**
 * Names the covered days of a period if their deployment frequency differs from that of all days (questions.md 3.3).
 */
export function coveredNote({ window, deployment_frequency: kpi }: DoraReport): string | undefined {
  if (!differsOverCovered(kpi)) return undefined;
  const { days, covered_days, covered_from } = window;
  return `The log covers ${covered_days} of the ${days} days, from ${covered_from}. The first frequency is over these days.`;
}

function differsOverCovered({ value, per_covered_day }: AnalyticsKpi): boolean {
  return per_covered_day !== undefined && per_covered_day !== value;
}

/** `shiplog dora`: the four DORA metrics of a period and a scope (command.md 4). */
export async function showDora({ options }: Given, context: Context): Promise<number> {
  const { out, signal, clock } = context;
  const { compare } = options as { readonly compare?: boolean };
  const client = await context.client();
  const query = {
    ...(await periodQuery(options, { client, now: clock.now(), signal })),
    ...scopeQuery(options),
    compare: compare ? ('previous' as const) : undefined,
  };
  const { body } = await client.getDora({ query, signal });
  if (out.isJson) {
    out.json(body);
    return exitCodes.done;
  }
  const { from, to, days, clamped } = body.window;
  const covered = coveredNote(body);
  show(out, {
    head: [
      ...['figure', 'value', 'unit', 'class', 'trend'],
      ...(compare ? ['before'] : []),
      ...(covered === undefined ? [] : ['over all days']),
    ],
    rows: keyFigures.map((name) => [name, ...cellsOf(body[name], covered !== undefined)]),
  });
  out.note(`${days} days, from ${from} to ${to}${clamped ? ', limited to what the service retains' : ''}.`);
  if (covered !== undefined) out.note(covered);
  out.note(leadTimeNote);
  return exitCodes.done;
}

function cellsOf(kpi: AnalyticsKpi, hasAllDays: boolean): string[] {
  const { value, per_covered_day = value, unit, classification, trend_delta, approximated, previous } = kpi;
  const trend = trend_delta === null ? '' : `${trend_delta >= 0 ? '+' : ''}${(100 * trend_delta).toFixed(1)}%`;
  const shown = (one: number | null) =>
    one === null ? 'none' : `${approximated ? '~' : ''}${Number(one.toPrecision(4))}`;
  const isCovered = differsOverCovered(kpi);
  return [
    ...[shown(per_covered_day), unit],
    // The service bases the class on all days, so it is not shown for the covered days.
    ...[isCovered ? '' : classification, trend],
    ...(previous === undefined ? [] : [shown(previous)]),
    ...(hasAllDays ? [isCovered ? shown(value) : ''] : []),
  ];
}
