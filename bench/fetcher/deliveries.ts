import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A signed delivery, as sent by a tool. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Receives the deliveries of a tool, so that a benchmark can forward them one by one. */
export interface Deliveries {
  readonly url: string;
  /** Returns the next delivery, in order of arrival. */
  next(): Promise<Delivery>;
  close(): void;
}

export async function openDeliveries(): Promise<Deliveries> {
  const come: Delivery[] = [];
  const server = createServer(async (request, response) => {
    come.push({ headers: headersOf(request), body: await text(request) });
    response.writeHead(204).end();
    server.emit('delivery');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    next: async () => {
      for (;;) {
        const delivery = come.shift();
        if (delivery) return delivery;
        await once(server, 'delivery');
      }
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The headers that contain the event and the signature. */
function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const told = Object.entries(headers).filter(([name]) => name.startsWith('x-') || name === 'content-type');
  return Object.fromEntries(told.map(([name, value]) => [name, String(value)]));
}
