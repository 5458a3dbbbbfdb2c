import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { type TestEmulator, testEmulator } from './emulator.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type StatusOf = (received: Received) => number | Promise<number>;

/** Receives deliveries and answers each with the result of a function, or with 204. */
export class Receiver {
  readonly url: string;
  readonly received: Received[] = [];

  private constructor(url: string) {
    this.url = url;
  }

  static async start(statusOf: StatusOf = () => 204): Promise<Receiver> {
    const server = createServer(async (request, response) => {
      const body = await text(request);
      const received = { headers: request.headers, text: body, body: JSON.parse(body) };
      receiver.received.push(received);
      const status = await statusOf(received);
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new Receiver(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return receiver;
  }

  /** The events delivered so far, each as its event header and the status or action in its body. */
  events(): string[] {
    return this.received.map(({ headers, body }) => {
      const event = String(headers['x-github-event'] ?? headers['x-gitlab-event']);
      const status = (body.deployment_status as { state?: string } | undefined)?.state ?? body.status ?? body.action;
      return status === undefined ? event : `${event} ${status}`;
    });
  }
}

export const hookSecret = 'a-long-enough-secret';

/** An emulator with a target that receives its deliveries, including GitHub's ping. */
export async function hooked(
  target: object,
  statusOf?: StatusOf,
): Promise<{ emulator: TestEmulator; receiver: Receiver }> {
  const receiver = await Receiver.start(statusOf);
  const emulator = await testEmulator();
  const { status, body } = await emulator.post('/_ci/webhooks', {
    tool: 'github',
    url: receiver.url,
    secret: hookSecret,
    ...target,
  });
  expect([status, body]).toEqual([200, expect.anything()]);
  await emulator.deliveriesOver();
  return { emulator, receiver };
}
