import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** One TCP connection to a service, for what no HTTP client would send. */
export class RawClient {
  /** Everything that came back, as Latin-1. */
  text = '';
  /** Why the connection was cut, where it was not ended. */
  failure: Error | undefined;
  readonly socket: Socket;
  readonly #closed: Promise<void>;
  readonly #watchers = new Set<() => void>();

  /** Connects; cut when the test is over. */
  static async open(url: string): Promise<RawClient> {
    const client = await RawClient.connect(url);
    onTestFinished(() => client.close());
    return client;
  }

  /** The same, closed by the caller or by the service. */
  static async connect(url: string): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  private constructor(socket: Socket) {
    this.socket = socket;
    this.#closed = new Promise((resolve) => socket.once('close', () => resolve()));
    void this.#closed.then(() => this.#look());
    socket.on('error', (error) => {
      this.failure = error;
    });
    socket.setEncoding('latin1').on('data', (text: string) => {
      this.text += text;
      this.#look();
    });
  }

  send(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** Takes nothing more from the connection, so that the sender's side fills up. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** Resolves when the condition holds or the connection is closed. */
  until(condition: (text: string) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!condition(this.text) && !this.socket.destroyed) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  closed(): Promise<void> {
    return this.#closed;
  }

  close(): void {
    this.socket.destroy();
  }

  #look(): void {
    for (const look of [...this.#watchers]) look();
  }
}
