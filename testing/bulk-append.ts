import { type DeploymentEventIngest, storedEvent } from '@shiplog/contract';
import { appendDeployments } from '@shiplog/service/append';
import pg from 'pg';

const batchRows = 500;

type ReportedEvent = DeploymentEventIngest & { readonly progress_reporter?: string };

/** Stores many events as the service does, but without HTTP. Returns their ids in order. */
export async function appendAll(url: string, events: readonly ReportedEvent[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const queries = {
    query: async <Row extends object>({ text, values = [] }: { text: string; values?: readonly unknown[] }) =>
      (await client.query<Row>(text, [...values])).rows,
  };
  try {
    const ids: string[] = [];
    while (ids.length < events.length) {
      const batch = events.slice(ids.length, ids.length + batchRows);
      ids.push(
        ...(await appendDeployments(
          queries,
          batch.map((event) => storedEvent(event, event.progress_reporter)),
        )),
      );
    }
    return ids;
  } finally {
    await client.end();
  }
}
