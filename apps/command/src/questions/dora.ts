import type { Client } from '@shiplog/client';
import { type AnalyticsKpi, type DoraReport, type OutagesReport, outageFigures } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, unlessMissing } from '../failure.ts';
import { show } from './listing.ts';
import { periodQuery, scopeQuery } from './query-options.ts';

/** The four DORA metrics by API name, in API order. */
export const keyFigures = ['deployment_frequency', 'lead_time', 'change_failure_rate', 'time_to_restore'] as const;

export const leadTimeNote =
  'lead_time is approximated from chains of promotions, not measured from commit to production.';

/**
 * The figures about outages, shown next to the four metrics (outages.md 3.5); `undefined` if the service doesn't have
 * them.
 */
export async function observedFigures(
  client: Client,
  call: NonNullable<Parameters<Client['getOutageFigures']>[0]>,
): Promise<OutagesReport | undefined> {
  return (await unlessMissing(client.getOutageFigures(call)))?.body;
}

/**
 * Names the covered days of a period if their deployment frequency differs from that of all days (questions.md 3.3).
 */
export function coveredNote({ window, deployment_frequency: kpi }: DoraReport): string | undefined {
  if (!differsOverCovered(kpi)) return undefined;
  const { days, covered_days, covered_from } = window;
  return `The log covers ${covered_days} of the ${days} days, from ${covered_from}. The first frequency covers these days.`;
}

function differsOverCovered({ value, per_covered_day }: AnyKpi): boolean {
  return per_covered_day !== undefined && per_covered_day !== value;
}

/** `shiplog dora`: the four DORA metrics of a period and a scope, and the figures about outages (command.md 4). */
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
  const observed = await observedFigures(client, { query, signal });
  if (out.isJson) {
    out.json({ ...body, ...(observed && observedMembers(observed)) });
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
    rows: [
      ...keyFigures.map((name) => [name, ...cellsOf(body[name], covered !== undefined)]),
      ...(observed ? outageFigures.map((name) => [name, ...cellsOf(observed[name], covered !== undefined)]) : []),
    ],
  });
  out.note(`${days} days, from ${from} to ${to}${clamped ? ', limited to what the service retains' : ''}.`);
  if (covered !== undefined) out.note(covered);
  out.note(leadTimeNote);
  if (observed) out.note(observed.note);
  return exitCodes.done;
}

/** Without the window and the scope, which are those of the four metrics. */
function observedMembers({ window: _, scope: __, ...members }: OutagesReport) {
  return members;
}

type AnyKpi = Omit<AnalyticsKpi, 'classification'> & { readonly classification: AnalyticsKpi['classification'] | null };

function cellsOf(kpi: AnyKpi, hasAllDays: boolean): string[] {
  const { value, per_covered_day = value, unit, classification, trend_delta, approximated, previous } = kpi;
  const trend = trend_delta === null ? '' : `${trend_delta >= 0 ? '+' : ''}${(100 * trend_delta).toFixed(1)}%`;
  const shown = (one: number | null) =>
    one === null ? 'none' : `${approximated ? '~' : ''}${Number(one.toPrecision(4))}`;
  const isCovered = differsOverCovered(kpi);
  return [
    ...[shown(per_covered_day), unit],
    // The service bases the class on all days, so it is not shown for the covered days.
    ...[isCovered ? '' : (classification ?? ''), trend],
    ...(previous === undefined ? [] : [shown(previous)]),
    ...(hasAllDays ? [isCovered ? shown(value) : ''] : []),
  ];
}
