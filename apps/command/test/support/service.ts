import type { DeploymentEvent } from '@shiplog/contract';
import { listedEvents, sharedService, type TestServiceOptions } from '@shiplog/testing';
import { type Meddling, meddler } from '../../../fetcher/test/support/meddler.ts';

export interface LogOfTest {
  readonly url: string;
  /** All rows in the order in which they were stored. */
  rows(): Promise<DeploymentEvent[]>;
}

/** The logs of a file's tests: one real service, cleared at each call. */
export function sharedLog(config: TestServiceOptions['config'] = {}) {
  const empty = sharedService({ config });
  const emptyLog = async (): Promise<LogOfTest> => {
    const { url } = await empty();
    const rows = async () => [...(await listedEvents(url)).values()].sort((one, other) => (one.id < other.id ? -1 : 1));
    return { url, rows };
  };
  /** The log behind a network that loses requests and responses. */
  const meddledLog = async (meddling: Meddling): Promise<LogOfTest & { readonly directUrl: string }> => {
    const { url: directUrl, rows } = await emptyLog();
    return { url: await meddler(directUrl, meddling), directUrl, rows };
  };
  return { emptyLog, emptyService: async () => (await emptyLog()).url, meddledLog };
}

/** The same service behind a network; `opened` resolves when a stream is open. */
export async function watched(direct: string): Promise<{ readonly url: string; readonly opened: Promise<void> }> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const url = await meddler(direct, {
    answered: ({ path }) => {
      if (path.endsWith('/stream')) open();
      return 'whole';
    },
  });
  return { url, opened };
}
