import { anEvent, metricsOf, postStored, StreamReader, testDatabase, testService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';

const times = { heartbeatMs: 15_000, pollMs: 3_600_000, stalledMs: 600_000 };
const postCount = 50;

test('the log is not read for closed streams', async () => {
  const database = await testDatabase();
  const { url } = await testService({ databaseUrl: database.url, times });
  for (const search of ['', '?service=payments-api']) {
    const stream = await StreamReader.connect({ url: `${url}/api/events/stream${search}` });
    await postStored(url, anEvent());
    await stream.take(1);
    stream.close();
  }
  await until(async () => (await metricsOf(url)).openStreams === 0);
  const before = (await metricsOf(url)).pagesRead;
  for (let n = 0; n < postCount; n++) await postStored(url, anEvent());
  // One or two reads may have been in progress when the last stream closed. Each post has a separate notification.
  expect((await metricsOf(url)).pagesRead - before).toBeLessThan(5);
});
