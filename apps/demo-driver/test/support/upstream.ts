import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ComponentEvent, type DeploymentEventIngest, endpoints, streams } from '@shiplog/contract';
import { Watchers } from '@shiplog/testing';
import { onTestFinished } from 'vitest';

/** One request as it came. */
export interface Received {
  readonly method: string;
  /** With the query. */
  readonly url: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Whether its connection is gone. */
  closed: boolean;
}

/** What the server does with one request. */
export type Act = (response: ServerResponse, request: Received) => void;

export const routes = {
  post: `POST ${endpoints.appendDeployment.path}`,
  report: `POST ${endpoints.reportComponentEvent.path}`,
  reset: `POST ${endpoints.startReset.path}`,
  control: `GET ${streams.control.path}`,
  components: `GET ${streams.components.path}`,
  deployments: `GET ${streams.deployments.path}`,
} as const;

export function answers(status: number, body = '', headers: Readonly<Record<string, string>> = {}): Act {
  return (response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

/** Answers when the test says so. */
export function heldBack(status: number): { readonly act: Act; readonly release: () => void } {
  let held: ServerResponse | undefined;
  return {
    act: (response) => {
      held = response;
    },
    release: () => void held?.writeHead(status).end(),
  };
}

/** Never answers. */
export const hangs: Act = () => undefined;

/** Ends the connection without an answer. */
export const cuts: Act = (response) => response.destroy();

/** Begins an event stream, sends this and leaves it open. */
export function streamsOut(...pieces: readonly string[]): Act {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    for (const piece of pieces) response.write(piece);
  };
}

/** Stands in for the service and whatever else the driver calls: does what the test says, remembers what came. */
export class Upstream {
  readonly received: Received[] = [];
  /** What is still to be done with the requests of each route; the last act stays. */
  readonly #acts = new Map<string, Act[]>([
    [routes.post, [answers(201, '{}')]],
    [routes.report, [answers(204)]],
    [routes.reset, [answers(202, '{}')]],
    [routes.control, [streamsOut(': hello\n\n')]],
    [routes.components, [streamsOut(': hello\n\n')]],
  ]);
  readonly #open = new Map<string, ServerResponse[]>();
  readonly #watchers = new Watchers();
  readonly #server: Server;

  /** Listens on a free port; closed when the test is over. */
  static async open(): Promise<Upstream> {
    const upstream = new Upstream();
    upstream.#server.listen(0, '127.0.0.1');
    await once(upstream.#server, 'listening');
    onTestFinished(async () => {
      upstream.#server.closeAllConnections();
      upstream.#server.close();
      await once(upstream.#server, 'close');
    });
    return upstream;
  }

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
    this.#server.on('connection', (socket) => socket.on('error', () => undefined));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next request of a route gets the first act, the last act serves all that come after it too. */
  script(route: string, ...acts: Act[]): void {
    this.#acts.set(route, [...acts]);
  }

  of(route: string): Received[] {
    return this.received.filter(({ method, path }) => `${method} ${path}` === route);
  }

  /** The events that were posted, in the order in which they came. */
  get posts(): DeploymentEventIngest[] {
    return this.of(routes.post).map(({ body }) => JSON.parse(body.toString()));
  }

  /** What was reported, each as `<event_type> <state> <correlation id>`. */
  get reports(): string[] {
    return this.of(routes.report).map(({ body, headers }) => {
      const { event_type, state }: ComponentEvent = JSON.parse(body.toString());
      return `${event_type} ${state} ${headers['x-correlation-id']}`;
    });
  }

  /** Writes to every open connection of a route, once there is one. */
  async send(route: string, text: string): Promise<void> {
    const open = () => (this.#open.get(route) ?? []).filter((response) => response.headersSent && !response.destroyed);
    await this.until(() => open().length > 0);
    for (const response of open()) response.write(text);
  }

  /** Tells the driver of a step of a reset, as the service does. */
  async tell(type: string, id: string, correlationId = id): Promise<void> {
    const frame = { id, type, component: '*', correlation_id: correlationId, occurred_at: '2026-05-04T09:12:02Z' };
    await this.send(routes.control, `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(frame)}\n\n`);
  }

  /** Ends every open connection of a route. */
  end(route: string): void {
    for (const response of this.#open.get(route) ?? []) response.end();
  }

  /** Resolves as soon as the condition holds; looks again whenever a request came or a connection went. */
  until(condition: () => boolean): Promise<void> {
    return this.#watchers.until(condition);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    request.on('data', (piece) => pieces.push(piece)).on('error', () => undefined);
    await once(request, 'end');
    const { method = '', url = '', headers } = request;
    const [path = ''] = url.split('?');
    const received: Received = { method, url, path, headers, body: Buffer.concat(pieces), closed: false };
    const route = `${method} ${path}`;
    const acts = this.#acts.get(route) ?? [answers(404, '{}')];
    const act = acts.length > 1 ? acts.shift() : acts[0];
    this.received.push(received);
    this.#open.set(route, [...(this.#open.get(route) ?? []), response]);
    response.on('close', () => {
      received.closed = true;
      this.#watchers.changed();
    });
    act?.(response, received);
    this.#watchers.changed();
  }
}
