import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { headerNames } from '@shiplog/contract';

const idLine = Buffer.from('\nid: ');
const idLength = 36;

/** A reader of a stream that can disconnect and resume after the last id that it received. */
export class Follower {
  readonly #url: URL;
  #socket: Socket | undefined;
  #lastId = '';

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** Connects. Resolves when the response arrives. */
  async join(): Promise<void> {
    const { hostname, port, pathname } = this.#url;
    const resumed = this.#lastId === '' ? '' : `${headerNames.lastEventId}: ${this.#lastId}\r\n`;
    const socket = connect(Number(port), hostname);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n${resumed}\r\n`);
    this.#socket = socket;
    await once(socket, 'data');
  }

  leave(): void {
    this.#socket?.destroy();
  }

  /** An id that is truncated at the end of a chunk is discarded, because its frame will be sent again. */
  #take(chunk: Buffer): void {
    const from = chunk.lastIndexOf(idLine, chunk.length - idLine.length - idLength);
    if (from !== -1) this.#lastId = chunk.toString('latin1', from + idLine.length, from + idLine.length + idLength);
  }
}
