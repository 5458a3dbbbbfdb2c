import { anEvent, StreamReader, testDatabase, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { openStreams, pagesRead } from './support/metrics.ts';
import { postStored } from './support/posting.ts';
import { until } from './support/until.ts';

const times = { heartbeatMs: 15_000, pollMs: 3_600_000, stalledMs: 600_000 };
const postCount = 50;

test('streams that were closed are forgotten: the log is not read for them any more', async () => {
  const database = await testDatabase();
  const { url } = await testService({ databaseUrl: database.url, times });
  for (const search of ['', '?service=payments-api']) {
    const stream = await StreamReader.connect({ url: `${url}/api/events/stream${search}` });
    await postStored(url, anEvent());
    await stream.take(1);
    stream.close();
  }
  await until(async () => (await openStreams(url)) === 0);
  const before = await pagesRead(url);
  for (let n = 0; n < postCount; n++) await postStored(url, anEvent());
  // A read or two may have been under way when the last one left; each post has a notice of its own.
  expect((await pagesRead(url)) - before).toBeLessThan(5);
});
