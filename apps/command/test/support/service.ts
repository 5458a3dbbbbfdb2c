import type { DeploymentEvent } from '@shiplog/contract';
import { listedEvents, testDatabase, testService } from '@shiplog/testing';
import { type Meddling, meddler } from '../../../fetcher/test/support/meddler.ts';

export interface LogOfTest {
  readonly url: string;
  /** All rows in the order in which they were stored. */
  rows(): Promise<DeploymentEvent[]>;
}

/** Starts the real service with an empty log, and stops it after the test. */
export async function emptyLog(): Promise<LogOfTest> {
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl });
  const rows = async () => [...(await listedEvents(url)).values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  return { url, rows };
}

/** Starts the same service behind a network that loses requests and responses. */
export async function meddledLog(meddling: Meddling): Promise<LogOfTest & { readonly directUrl: string }> {
  const { url: directUrl, rows } = await emptyLog();
  return { url: await meddler(directUrl, meddling), directUrl, rows };
}
