import { nilId } from '@shiplog/contract';
import {
  anEvent,
  metricsOf,
  ProgramProcess,
  StreamReader,
  testDatabase,
  testKeys,
  testService,
  until,
} from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { expect, onTestFinished, test, vi } from 'vitest';

const eventCount = 50_000;
const sampleEvery = 5000;
/**
 * About the size of one event on a stream. All events together are far more than the kernel buffers for a connection.
 */
const eventBytes = 1600;
const services = ['billing', 'catalogue', 'delivery', 'accounts'];
/**
 * Without a limit, stalled readers would need all 80 MB at least once, as buffers outside the heap, where nothing else
 * is large. The total memory also includes strings in the heap, and varies by 40 MB with garbage collection.
 */
const growthBytesMax = { buffers: 40_000_000, process: 80_000_000 };

function events(count: number) {
  const run_url = `https://ci.example.com/${'r'.repeat(eventBytes - 300)}`;
  return Array.from({ length: count }, (_, n) => anEvent({ service: services[n % services.length] ?? '', run_url }));
}

/** Opens a stream, live or after an id. The reader stores only ids. */
async function openReader(
  url: string,
  from: { readonly service?: string | undefined; readonly after?: string | undefined },
) {
  const search = from.service === undefined ? '' : `?service=${from.service}`;
  const headers = from.after === undefined ? {} : { 'last-event-id': from.after };
  return StreamReader.open({ url: `${url}/api/events/stream${search}`, headers, keeps: 'ids' });
}

/** Resolves when this many frames have arrived or the connection is closed. */
function come(reader: StreamReader, count: number): Promise<void> {
  return reader.until((each) => each.count >= count || each.ended);
}

/** Appends the events while the readers read. Returns the ids and the peak memory of the service. */
async function load(readers: readonly StreamReader[], target: { readonly url: string; readonly databaseUrl: string }) {
  const before = readers[0]?.count ?? 0;
  const ids: string[] = [];
  const most = { buffers: 0, process: 0 };
  while (ids.length < eventCount) {
    ids.push(...(await appendAll(target.databaseUrl, events(sampleEvery))));
    await Promise.all(readers.map((reader) => come(reader, before + ids.length)));
    const { externalBytes, residentBytes } = await metricsOf(target.url);
    most.buffers = Math.max(most.buffers, externalBytes);
    most.process = Math.max(most.process, residentBytes);
  }
  return { ids, most };
}

test('stalled readers need no memory, do not delay other readers, and get all events when they continue', async () => {
  const database = await testDatabase();
  const service = ProgramProcess.spawn(
    'service',
    { PORT: '0', DATABASE_URL: database.url, API_KEY: testKeys.api, CONTROL_API_KEY: testKeys.control },
    // With a fixed size of the young generation, the measured memory is mostly memory in use.
    { nodeArgs: ['--max-semi-space-size=2'] },
  );
  const url = await service.ready();
  const target = { url, databaseUrl: database.url };
  const readers = await Promise.all([{}, {}, {}].map((from) => openReader(url, from)));
  const alone = await load(readers, target);
  const places = [
    { after: undefined, service: undefined },
    { after: undefined, service: undefined },
    { after: undefined, service: 'billing' },
    { after: undefined, service: 'nobody' },
    { after: nilId, service: undefined },
    { after: nilId, service: 'catalogue' },
  ];
  const stalled = await Promise.all(places.map((from) => openReader(url, from)));
  for (const reader of stalled) reader.pause();
  const beside = await load(readers, target);
  expect(beside.most.buffers - alone.most.buffers).toBeLessThan(growthBytesMax.buffers);
  expect(beside.most.process - alone.most.process).toBeLessThan(growthBytesMax.process);
  const log = [...alone.ids, ...beside.ids];
  for (const reader of readers) expect(reader.ids).toEqual(log);

  for (const [index, { after, service: filter }] of places.entries()) {
    const reader = stalled[index];
    const due = (after === undefined ? beside.ids : log).filter(
      (_, n) => filter === undefined || services[n % services.length] === filter,
    );
    expect(reader?.ids.length).toBeLessThan(Math.max(due.length, 1));
    reader?.resume();
    if (reader) await come(reader, due.length);
    expect(reader?.ids).toEqual(due);
  }
});

test('a reader that accepts nothing for too long is disconnected, and resumes by its id without loss', async () => {
  const database = await testDatabase();
  const service = await testService({
    databaseUrl: database.url,
    times: { heartbeatMs: 100, pollMs: 1000, stalledMs: 3000 },
  });
  const ids = await appendAll(database.url, events(10_000));
  // This reader has received everything before the other reader stalls, so a wrong check would disconnect it first.
  const reader = await openReader(service.url, { after: nilId });
  await come(reader, ids.length);
  const stalled = await openReader(service.url, { after: nilId });
  stalled.pause();
  await until(async () => (await metricsOf(service.url)).openStreams === 1);
  stalled.resume();
  await come(stalled, ids.length);
  expect(stalled.ids.length).toBeLessThan(ids.length);
  const back = await openReader(service.url, { after: stalled.ids.at(-1) ?? nilId });
  await come(back, ids.length - stalled.ids.length);
  expect([...stalled.ids, ...back.ids]).toEqual(ids);
  // A reader that has received everything is not stalled, even if little data arrives.
  expect(reader.ids).toEqual(ids);
  expect((await metricsOf(service.url)).openStreams).toBe(2);
});

test('a clock that jumps ahead does not make an idle reader look stalled', async () => {
  const database = await testDatabase();
  const times = { heartbeatMs: 50, pollMs: 1000, stalledMs: 600_000 };
  const service = await testService({ databaseUrl: database.url, times });
  await appendAll(database.url, events(10_000));
  const stalled = await openReader(service.url, { after: nilId });
  stalled.pause();
  const beside = await StreamReader.open({ url: `${service.url}/api/events/stream` });
  const pings = (count: number) => beside.until(({ text }) => text.split(': ping').length > count);
  // Long enough for a check of the idle reader while it has unsent bytes.
  await pings(10);
  const trueNow = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => trueNow() + 24 * 3_600_000);
  onTestFinished(() => void vi.restoreAllMocks());
  await pings(20);
  expect((await metricsOf(service.url)).openStreams).toBe(2);
});
