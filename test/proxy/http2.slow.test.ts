import { headerNames } from '@shiplog/contract';
import { anEvent, freePort, metricsOf, testDatabase, testService, until } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { storedEvents } from '../../apps/service/test/support/stored.ts';
import { Http2Line, type Http2Stream } from './support/http2-line.ts';
import { Pipelines } from './support/load.ts';
import { describeBehindProxies, startProxy } from './support/proxy.ts';
import { spawnInstance } from './support/rolling-restart.ts';

const resumeHeader = headerNames.streamResume.toLowerCase();
/** More than either proxy allows per connection by default. */
const streamsMax = 150;

describeBehindProxies((proxy) => {
  test('150 streams on one HTTP/2 connection each get every frame before the next event is posted', async () => {
    const { url: databaseUrl } = await testDatabase();
    const service = await testService({ databaseUrl, times: { heartbeatMs: 300 } });
    const port = Number(new URL(service.url).port);
    const { tlsUrl } = await startProxy(proxy, [port, port]);
    const line = await Http2Line.open(tlsUrl);
    const readers = await Promise.all(Array.from({ length: streamsMax }, () => line.stream()));
    for (const { headers } of readers) {
      expect(headers).toMatchObject({ ':status': 200, 'content-type': 'text/event-stream', [resumeHeader]: 'live' });
    }
    const due: string[] = [];
    while (due.length < 5) {
      const { status, id = '' } = await line.post(anEvent());
      expect(status).toBe(201);
      due.push(id);
      await Promise.all(readers.map((reader) => reader.until(({ ids }) => ids.at(-1) === id)));
    }
    for (const { ids } of readers) expect(ids).toEqual(due);
    await Promise.all(readers.map((reader) => reader.until(({ text }) => text.endsWith(': ping\n\n'))));
    for (const { text } of readers) expect(text).toMatch(/^retry: 2000\n\n/);
  });

  test('streams survive a reload of the proxy and resume on another instance if their instance dies', async () => {
    const { url: databaseUrl } = await testDatabase();
    const ports = [await freePort(), await freePort()];
    const [dying, staying] = ports.map((port) => spawnInstance(databaseUrl, port));
    const dyingUrl = (await dying?.ready()) ?? '';
    const stayingUrl = (await staying?.ready()) ?? '';
    const running = await startProxy(proxy, ports);
    const readers = await openReaders(running.tlsUrl, 20);
    const [first] = await postAll(running.url);
    await running.reload();
    readers.push(...(await openReaders(running.tlsUrl, 20, first)));
    await reach(readers, (await postAll(running.url)).at(-1));
    expect(readers.filter(({ ended }) => ended)).toEqual([]);

    const streamsAt = async (url: string) => (await metricsOf(url)).openStreams;
    // When the proxy closes a connection, its streams end some time later.
    await until(async () => (await streamsAt(dyingUrl)) + (await streamsAt(stayingUrl)) === readers.length);
    const openStreams = await streamsAt(dyingUrl);
    expect(openStreams).toBeGreaterThan(0);
    await dying?.kill();
    const last = (await postAll(running.url)).at(-1);
    await reach(readers, last);
    expect(readers.filter(({ ended }) => ended)).toHaveLength(openStreams);
    const log = (await storedEvents(databaseUrl)).map(({ id }) => id);
    for (const { ended, ids } of readers) {
      const [resumed] = ended ? await openReaders(running.tlsUrl, 1, ids.at(-1)) : [];
      if (resumed) expect(resumed.headers[resumeHeader]).toBe('replay');
      await resumed?.until((stream) => stream.ids.at(-1) === last);
      const all = [...ids, ...(resumed?.ids ?? [])];
      expect(all).toEqual(log.slice(-all.length));
    }
  });
});

/** Opens streams on one connection, or on another one if the proxy closes the first, as during a reload. */
async function openReaders(url: string, count: number, lastEventId?: string): Promise<Http2Stream[]> {
  for (;;) {
    const line = await Http2Line.open(url);
    const streams = Array.from({ length: count }, () => line.stream(lastEventId));
    const readers = await Promise.all(streams).catch(() => undefined);
    if (readers) return readers;
    line.close();
  }
}

/** Resolves when each reader has ended or has this frame. */
async function reach(readers: readonly Http2Stream[], last: string | undefined): Promise<void> {
  await Promise.all(readers.map((reader) => reader.until(({ ids, ended }) => ended || ids.at(-1) === last)));
}

/** Posts events sequentially, retries each until it is stored, and returns their ids. */
async function postAll(url: string): Promise<string[]> {
  const pipelines = new Pipelines(url, ['billing'], 0);
  await pipelines.delivers(3);
  await pipelines.stop();
  return pipelines.deliveries.map(({ id }) => id);
}
