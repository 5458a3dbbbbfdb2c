import { Socket } from 'node:net';
import { refuseSecrets } from './secrets.ts';

/**
 * Of every test: what it reads from a connection or a pipe that it opened (answers, streams and logs of the programs
 * under test) holds no secret. What does is an uncaught error, which fails the run. Connections that a test takes, as a
 * stand-in for what our programs call, are where keys belong.
 */
if (!Object.hasOwn(Socket.prototype, 'push')) {
  const { push } = Socket.prototype;
  Socket.prototype.push = function (this: Socket & { server?: unknown }, chunk: unknown, encoding?: BufferEncoding) {
    const takesMore = push.call(this, chunk, encoding);
    const where = this.remotePort === undefined ? 'the output of a program' : `an answer of port ${this.remotePort}`;
    if (Buffer.isBuffer(chunk) && !this.server) refuseSecrets(where, chunk);
    return takesMore;
  };
}
