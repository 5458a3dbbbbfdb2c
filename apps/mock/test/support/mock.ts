import type { MockStatus } from '@shiplog/companions';
import type { DeploymentEvent, DeploymentEventIngest, Matrix } from '@shiplog/contract';
import { type MockOptions, startMock } from '@shiplog/mock';
import {
  anEvent,
  clientOf,
  type Fetched,
  fetched,
  listedEvents,
  posted,
  postStored,
  StreamReader,
  testKeys,
  testLogger,
} from '@shiplog/testing';
import { onTestFinished } from 'vitest';

/** A mock with methods that send requests to it. */
export class TestMock {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  send<Body>(path: string, init?: RequestInit): Promise<Fetched<Body>> {
    return fetched(`${this.url}${path}`, init);
  }

  async get<Body>(path: string): Promise<Body> {
    return (await this.send<Body>(path)).body;
  }

  /** Sends no body if `body` is omitted. */
  async post<Body>(path: string, body?: object): Promise<Body> {
    return (await posted<Body>(`${this.url}${path}`, body)).body;
  }

  status(): Promise<MockStatus> {
    return this.get<MockStatus>('/_mock/status');
  }

  append(fields: Partial<DeploymentEventIngest> = {}): Promise<DeploymentEvent> {
    return postStored(this.url, anEvent(fields));
  }

  async putCursor(adapter: string, cursor: string): Promise<void> {
    await clientOf(this.url).putFetcherState({ params: { adapter }, body: { cursor } });
  }

  /** All events in the listing, newest first. */
  async events(): Promise<DeploymentEvent[]> {
    return [...(await listedEvents(this.url)).values()];
  }

  async matrix(): Promise<Matrix> {
    return (await clientOf(this.url).getMatrix()).body;
  }

  /** Opens a stream and closes it at the end of the test. */
  stream(path: string): Promise<StreamReader> {
    return StreamReader.open({ url: `${this.url}${path}` });
  }
}

/** Starts a complete mock in this process on a free port and stops it at the end of the test. */
export async function testMock(options: Pick<MockOptions, 'times' | 'now'> = {}): Promise<TestMock> {
  const { url, stop } = await startMock({
    config: { port: 0, host: '127.0.0.1', apiKeys: [testKeys.api], problemBase: '/problems', logLevel: 'silent' },
    logger: testLogger(undefined),
    ...options,
  });
  onTestFinished(stop);
  return new TestMock(url);
}
