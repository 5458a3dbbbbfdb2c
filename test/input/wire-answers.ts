import { type Answer, RawClient } from '@shiplog/testing';
import { inTime } from './in-time.ts';
import type { WireCase } from './wire-cases.ts';

/**
 * Sends the bytes of a case on a separate connection, and returns all responses until the program closes the
 * connection. Rejects if the program does not close it in time, or if the responses are not HTTP.
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
