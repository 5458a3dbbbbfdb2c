import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2';
import { type DeploymentEventIngest, endpoints, headerNames, keyHeaders, streams } from '@shiplog/contract';
import { anEvent, freePort, metricsOf, testDatabase, testKeys, testService, until, Watchers } from '@shiplog/testing';
import { expect, onTestFinished, test } from 'vitest';
import { storedEvents } from '../../apps/service/test/support/stored.ts';
import { Pipelines } from './support/load.ts';
import { describeBehindProxies, startProxy } from './support/proxy.ts';
import { spawnInstance } from './support/rolling-restart.ts';

/** The flow-control window of a connection; browsers allow more. */
const windowBytes = 4 * 1024 * 1024;

/** One HTTP/2 connection with many concurrent requests; closed when the test is over. */
class Http2Line {
  readonly #session: ClientHttp2Session;

  static open(url: string): Promise<Http2Line> {
    return new Promise((resolve, reject) => {
      const session = connect(url, { rejectUnauthorized: false });
      onTestFinished(() => session.destroy());
      session.once('error', reject);
      session.once('connect', () => {
        session.setLocalWindowSize(windowBytes);
        session.on('error', () => undefined);
        resolve(new Http2Line(session));
      });
    });
  }

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
  }

  /** Resolves with the headers of the response. */
  async stream(lastEventId?: string): Promise<Http2Stream> {
    // Throws if the proxy has closed the connection.
    const request = this.#session.request({
      ':path': streams.deployments.path,
      ...(lastEventId === undefined ? {} : { [headerNames.lastEventId]: lastEventId }),
    });
    return new Promise((resolve, reject) => {
      request.once('response', (headers) => resolve(new Http2Stream(request, headers)));
      request.once('error', reject);
      // The request has no error event if the connection is closed before a response.
      request.once('close', () => reject(new Error('the stream was closed without a response')));
    });
  }

  /** Cuts the connection with all its streams. */
  close(): void {
    this.#session.destroy();
  }

  /** Returns the status and, if the event was stored, the id. */
  async post(event: DeploymentEventIngest): Promise<{ status: number; id: string | undefined }> {
    const request = this.#session.request({
      ':method': 'POST',
      ':path': endpoints.appendDeployment.path,
      [keyHeaders.api]: testKeys.api,
    });
    request.setEncoding('utf8').end(JSON.stringify(event));
    const status = new Promise<number>((resolve) =>
      request.once('response', (head) => resolve(Number(head[':status']))),
    );
    let text = '';
    for await (const piece of request) text += piece;
    return { status: await status, id: (await status) === 201 ? JSON.parse(text).id : undefined };
  }
}

/** One of several event streams on a connection. */
class Http2Stream {
  readonly headers: IncomingHttpHeaders;
  text = '';
  ended = false;
  readonly #watchers = new Watchers();

  constructor(request: ClientHttp2Stream, headers: IncomingHttpHeaders) {
    this.headers = headers;
    request.setEncoding('utf8').on('data', (piece: string) => {
      this.text += piece;
      this.#watchers.changed();
    });
    request.on('error', () => undefined);
    request.on('close', () => {
      this.ended = true;
      this.#watchers.changed();
    });
  }

  /** The ids of the frames so far. */
  get ids(): string[] {
    return [...this.text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id);
  }

  /** Resolves once the condition is true. */
  until(condition: (stream: Http2Stream) => boolean): Promise<void> {
    return this.#watchers.until(() => condition(this));
  }
}

const resumeHeader = headerNames.streamResume.toLowerCase();
/** More streams than either proxy allows per connection by default. */
const streamsMax = 150;

describeBehindProxies((proxy) => {
  test('each of 150 streams on one HTTP/2 connection gets every frame before the next event is posted', async () => {
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

  test('streams survive a proxy reload, and resume on another instance when their instance dies', async () => {
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
    // After the proxy closes a connection, its streams end some time later.
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

/** Opens streams on one connection. If the proxy closes it, as during a reload, opens another connection. */
async function openReaders(url: string, count: number, lastEventId?: string): Promise<Http2Stream[]> {
  for (;;) {
    const line = await Http2Line.open(url);
    const streams = Array.from({ length: count }, () => line.stream(lastEventId));
    const readers = await Promise.all(streams).catch(() => undefined);
    if (readers) return readers;
    line.close();
  }
}

/** Resolves when each reader has this frame or has ended. */
async function reach(readers: readonly Http2Stream[], last: string | undefined): Promise<void> {
  await Promise.all(readers.map((reader) => reader.until(({ ids, ended }) => ended || ids.at(-1) === last)));
}

/** Posts events one at a time, retries each until it is stored, and returns their ids. */
async function postAll(url: string): Promise<string[]> {
  const pipelines = new Pipelines(url, ['billing'], 0);
  await pipelines.delivers(3);
  await pipelines.stop();
  return pipelines.deliveries.map(({ id }) => id);
}
