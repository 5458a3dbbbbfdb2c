import { Socket } from 'node:net';
import { refuseSecrets } from './secrets.ts';

/**
 * Checks that the connections and pipes that a test opens (responses, streams and logs of the programs under test)
 * contain no secrets. A secret causes an uncaught error, which fails the run. Connections that a test accepts as a
 * stand-in for a server are not checked, because our programs must send keys to it.
 */
if (!Object.hasOwn(Socket.prototype, 'push')) {
  const { push } = Socket.prototype;
  Socket.prototype.push = function (this: Socket & { server?: unknown }, chunk: unknown, encoding?: BufferEncoding) {
    const takesMore = push.call(this, chunk, encoding);
    const where = this.remotePort === undefined ? 'the output of a program' : `a response from port ${this.remotePort}`;
    if (Buffer.isBuffer(chunk) && !this.server) refuseSecrets(where, chunk);
    return takesMore;
  };
}
