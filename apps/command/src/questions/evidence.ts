import { type AnyEvidenceReport, limits, provableFigures } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { show } from './listing.ts';
import { limitOf, periodQuery, scopeQuery } from './query-options.ts';

const limitDefault = 100;

/** `shiplog evidence <figure>` (command.md 4): prints the formula with its numbers, then the rows, newest first. */
export async function showEvidence({ args: [name = ''], options }: Given, context: Context): Promise<number> {
  const figure = provableFigures.find((known) => known === name);
  if (!figure) throw usageFailure(`Unknown figure ${JSON.stringify(name)}. Figures: ${provableFigures.join(', ')}.`);
  const { clock, signal } = context;
  const query = {
    ...(await periodQuery(options, { client: await context.client(), now: clock.now(), signal })),
    ...scopeQuery(options),
    counted: options.counted as 'true' | 'false' | undefined,
  };
  const report = await evidenceOf(context, { figure, query, limit: limitOf(options.limit, limitDefault) });
  if (context.out.isJson) context.out.json(report);
  else print(report, context);
  return exitCodes.done;
}

/** Reads pages until the report has up to `limit` items. `next_cursor` continues after them if a page ends there. */
async function evidenceOf(
  context: Context,
  { figure, query, limit }: { figure: AnyEvidenceReport['figure']; query: object; limit: number },
): Promise<AnyEvidenceReport> {
  const client = await context.client();
  const items: AnyEvidenceReport['items'] = [];
  for (let cursor: string | undefined; ; ) {
    const page = { ...query, limit: Math.min(limit - items.length, limits.pageSizeMax), cursor };
    const { body } = await client.getEvidence({ params: { figure }, query: page, signal: context.signal });
    items.push(...body.items);
    if (body.next_cursor === null || items.length >= limit) return { ...body, items };
    cursor = body.next_cursor;
  }
}

function print({ formula, items, left_out, next_cursor, window }: AnyEvidenceReport, { out }: Context): void {
  show(out, {
    head: ['at', 'counted', 'value', 'reason', 'service', 'environment', 'deployment', 'event'],
    rows: items.map(({ at, counted, value, reason, service, environment, deployment_id, event_ids }) => [
      at,
      counted ? 'yes' : 'no',
      value === null ? '' : String(Number(value.toPrecision(6))),
      reason ?? '',
      service ?? '',
      environment ?? '',
      deployment_id ?? '',
      event_ids[0] ?? '',
    ]),
    styleOf: (text, column) => (column === 1 && text === 'no' ? 'dim' : undefined),
  });
  out.note(out.text(formula));
  for (const { reason, count } of left_out) out.note(`Left out: ${count} ${reason}.`);
  out.note(`From ${window.from} to ${window.to}${next_cursor === null ? '' : '; more with --limit'}.`);
}
