import { Socket } from 'node:net';
import { refuseSecrets } from './secrets.ts';

/**
 * Checks in every test that connections and pipes that the test opened (answers, streams and logs of the programs under
 * test) deliver no secret. A secret is an uncaught error, which fails the run. Connections that a test accepts, as a
 * stand-in for a server that our programs call, are not checked, because keys belong there.
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
