import type { DeploymentEvent } from '@shiplog/contract';
import { listedEvents, testDatabase, testService } from '@shiplog/testing';
import { type Meddling, meddler } from '../../../fetcher/test/support/meddler.ts';

export interface LogOfTest {
  readonly url: string;
  /** Every row, in the order in which they were stored. */
  rows(): Promise<DeploymentEvent[]>;
}

/** The real service with an empty log; stopped when the test is over. */
export async function emptyLog(): Promise<LogOfTest> {
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl });
  const rows = async () => [...(await listedEvents(url)).values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  return { url, rows };
}

/** The same service behind a network that loses requests and answers. */
export async function meddledLog(meddling: Meddling): Promise<LogOfTest & { readonly directUrl: string }> {
  const { url: directUrl, rows } = await emptyLog();
  return { url: await meddler(directUrl, meddling), directUrl, rows };
}
