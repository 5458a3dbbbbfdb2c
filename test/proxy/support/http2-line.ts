import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2';
import { type DeploymentEventIngest, endpoints, headerNames, keyHeaders, streams } from '@shiplog/contract';
import { testKeys, Watchers } from '@shiplog/testing';
import { onTestFinished } from 'vitest';

/** The flow-control window of a connection; browsers allow more. */
const windowBytes = 4 * 1024 * 1024;

/** One HTTP/2 connection with many concurrent requests. Closed when the test ends. */
export class Http2Line {
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

  /** Resolves with the response headers. */
  async stream(lastEventId?: string): Promise<Http2Stream> {
    // Throws if the proxy has closed the connection.
    const request = this.#session.request({
      ':path': streams.deployments.path,
      ...(lastEventId === undefined ? {} : { [headerNames.lastEventId]: lastEventId }),
    });
    return new Promise((resolve, reject) => {
      request.once('response', (headers) => resolve(new Http2Stream(request, headers)));
      request.once('error', reject);
      // The request emits no error event if the connection is closed before a response.
      request.once('close', () => reject(new Error('the stream was closed without an answer')));
    });
  }

  /** Cuts the connection with all its streams. */
  close(): void {
    this.#session.destroy();
  }

  /** Returns the status, and the id if the event was stored. */
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
export class Http2Stream {
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
