import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Asked {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
}

/**
 * The fate of a response: passed on whole, dropped, cut in half, or replaced. Unless a response is passed on or
 * replaced, the connection is cut.
 */
export type Fate = 'whole' | 'none' | 'half' | { readonly status: number; readonly body: string };

/** Decides what happens to requests and responses, possibly asynchronously. An event stream is passed on or cut. */
export interface Meddling {
  /** Whether a request reaches the server; otherwise its connection is cut. */
  readonly asks?: (asked: Asked) => boolean | Promise<boolean>;
  /** Called when the server has answered. */
  readonly answered?: (asked: Asked) => Fate | Promise<Fate>;
}

/** A proxy for a server. It drops requests and responses as a test decides, and is closed after the test. */
export async function meddler(targetUrl: string, meddling: Meddling): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    outgoing.on('error', () => undefined);
    passOn(targetUrl, incoming, outgoing, meddling).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function passOn(
  targetUrl: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { asks = () => true, answered = () => 'whole' }: Meddling,
): Promise<void> {
  const { method = '', url = '', headers } = incoming;
  const asked = { method, path: url.replace(/\?.*$/, '') };
  const body = await bytesOf(incoming);
  if (!(await asks(asked))) {
    outgoing.destroy();
    return;
  }
  const sent = request(`${targetUrl}${url}`, { method, headers, agent: false }).end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const status = answer.statusCode ?? 0;
  if (asked.path.endsWith('/stream')) {
    if ((await answered(asked)) !== 'whole') outgoing.destroy();
    if (outgoing.destroyed) {
      sent.destroy();
      return;
    }
    outgoing.on('close', () => sent.destroy());
    answer.on('error', () => outgoing.destroy());
    answer.pipe(outgoing.writeHead(status, headersOf(answer.headers)));
    return;
  }
  const whole = await bytesOf(answer);
  const fate = await answered(asked);
  if (fate === 'none') {
    outgoing.destroy();
  } else if (fate === 'half') {
    outgoing.writeHead(status, { ...headersOf(answer.headers), 'content-length': whole.length + 1 });
    outgoing.write(whole.subarray(0, whole.length / 2), () => outgoing.destroy());
  } else if (fate === 'whole') {
    outgoing.writeHead(status, headersOf(answer.headers)).end(whole);
  } else {
    outgoing.writeHead(fate.status, { 'content-type': 'application/json' }).end(fate.body);
  }
}

/** The headers that describe the response, not the connection. */
function headersOf({ connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...rest }: IncomingHttpHeaders) {
  return rest;
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
