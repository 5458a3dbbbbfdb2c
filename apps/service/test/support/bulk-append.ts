import { type DeploymentEventIngest, storedEvent } from '@shiplog/contract';
import { appendDeployments } from '../../src/db/append-deployments.ts';
import { Database } from '../../src/db/database.ts';
import { Servers } from '../../src/db/servers.ts';

const batchRows = 500;

/** Stores many events as the service does, but without HTTP. Returns their ids in order. */
export async function appendAll(url: string, events: readonly DeploymentEventIngest[]): Promise<string[]> {
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  const ids: string[] = [];
  while (ids.length < events.length) {
    const batch = events.slice(ids.length, ids.length + batchRows);
    ids.push(
      ...(await appendDeployments(
        database.appends,
        batch.map((event) => storedEvent(event, undefined)),
      )),
    );
  }
  await database.stop();
  return ids;
}
