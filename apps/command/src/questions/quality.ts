import type { Client } from '@shiplog/client';
import { type FindingKind, findingKinds, limits, type QualityReport, withoutHistory } from '@shiplog/contract';
import { ageOf } from '@shiplog/text';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { inMinutes } from './event-words.ts';
import { show } from './listing.ts';
import { scopeQuery } from './query-options.ts';

type QualityQuery = NonNullable<NonNullable<Parameters<Client['getQuality']>[0]>['query']>;

/** `shiplog quality` (command.md 4): prints all findings; on a terminal, prints the reporters first. */
export async function showQuality({ options }: Given, context: Context): Promise<number> {
  const kind = (options.kind ?? []) as readonly string[];
  const unknown = kind.filter((one) => !findingKinds.some((known) => known === one));
  if (unknown.length > 0)
    throw usageFailure(`Unknown --kind ${unknown.join(', ')}. Kinds: ${findingKinds.join(', ')}.`);
  const query = { ...scopeQuery(options), ...(kind.length > 0 && { kind: kind as FindingKind[] }) };
  const report = await allFindings(await context.client(), query, context.signal);
  if (context.out.isJson) context.out.json(report);
  else print(withoutHistory(report), context);
  return exitCodes.done;
}

export async function allFindings(client: Client, query: QualityQuery, signal: AbortSignal): Promise<QualityReport> {
  const findings: QualityReport['findings'] = [];
  for (let cursor: string | undefined; ; ) {
    const { body } = await client.getQuality({ query: { limit: limits.pageSizeMax, ...query, cursor }, signal });
    findings.push(...body.findings);
    if (body.next_cursor === null) return { ...body, findings };
    cursor = body.next_cursor;
  }
}

function print({ emitters, findings }: QualityReport, { out, clock }: Context): void {
  const now = clock.now();
  if (out.isTerminal && emitters.length > 0) {
    show(out, {
      head: ['reporter', 'rows in 24 h', 'last', 'usual interval', ''],
      rows: emitters.map(({ reporter, rows_24h, last_at, usual_interval_minutes: minutes, silent }) => [
        reporter ?? '(no reporter)',
        String(rows_24h),
        ageOf(Date.parse(last_at), now.getTime()),
        inMinutes(minutes),
        silent ? 'silent' : '',
      ]),
      styleOf: (text) => (text === 'silent' ? 'red' : undefined),
    });
  }
  if (findings.length === 0) {
    out.note('No data quality findings.');
    return;
  }
  if (out.isTerminal) out.line('');
  show(out, {
    head: ['finding', 'service', 'environment', 'count', 'what to do'],
    rows: findings.map(({ kind, service, environment, count, detail }) => {
      return [kind, service ?? '', environment ?? '', String(count), detail];
    }),
    styleOf: (_, column) => (column === 0 ? 'yellow' : undefined),
  });
}
