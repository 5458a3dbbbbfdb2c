import { type Answer, RawClient } from '@shiplog/testing';
import { inTime } from './in-time.ts';
import type { WireCase } from './wire-cases.ts';

/**
 * Sends the bytes of a case on a connection of their own, and gives what came back until the other side closed it.
 * Rejects when it does not close it in time, or when what came back is no HTTP.
 */
export async function wireAnswers(url: string, { bytes, ends }: WireCase): Promise<Answer[]> {
  const client = await RawClient.connect(url);
  void client.send(bytes);
  if (ends) client.end();
  await inTime(client.closed(), () => `still open after ${JSON.stringify(client.text.slice(0, 200))}`).finally(() =>
    client.close(),
  );
  return client.answers();
}
