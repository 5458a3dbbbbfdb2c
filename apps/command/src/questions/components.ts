import { type Client, pagesOf } from '@shiplog/client';
import { type ComponentEventRecord, limits, removalReport } from '@shiplog/contract';
import { ageOf } from '@shiplog/text';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes } from '../failure.ts';
import { show } from './listing.ts';

/**
 * `shiplog components`: the latest report of each component. The service keeps reports for two hours (command.md 4).
 */
export async function showComponents(_given: Given, context: Context): Promise<number> {
  const { out } = context;
  const reports = await latestReports(await context.client(), context.signal);
  if (out.isJson) for (const report of reports) out.json(report);
  else if (reports.length === 0) out.note('No component has reported in the last two hours.');
  else {
    const now = context.clock.now();
    show(out, {
      head: ['component', 'state', 'report', 'received', 'age', 'detail'],
      rows: reports.map(({ component_id, state, event_type, received_at, detail = '' }) => [
        component_id,
        state,
        event_type,
        received_at,
        ageOf(Date.parse(received_at), now.getTime()),
        detail,
      ]),
      styleOf: (text, column) => (column === 1 && text === 'error' ? 'red' : undefined),
    });
  }
  return exitCodes.done;
}

export async function latestReports(client: Client, signal: AbortSignal): Promise<ComponentEventRecord[]> {
  const latest = new Map<string, ComponentEventRecord>();
  const pages = pagesOf(async (cursor) => {
    return (await client.listComponentEvents({ query: { limit: limits.pageSizeMax, cursor }, signal })).body;
  });
  for await (const { items } of pages) {
    for (const report of items) {
      // This component reports only removals of events, so its silence has no meaning.
      if (report.event_type === removalReport.eventType) continue;
      if (!latest.has(report.component_id)) latest.set(report.component_id, report);
    }
  }
  return [...latest.values()].sort((one, other) => (one.component_id < other.component_id ? -1 : 1));
}
