import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { pathAsSent } from './url.ts';

const kinds: Readonly<Record<string, readonly [status: number, title: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};
const badRequest = [400, 'Bad Request'] as const;

type HttpSocket = Socket & { _httpMessage?: ServerResponse | null };

/** Node's error for a request that it could not parse, with the last bytes read. */
interface BrokenHttp extends NodeJS.ErrnoException {
  readonly rawPacket?: unknown;
}

/** The path of a malformed request, as far as it could be parsed. */
function brokenPath({ rawPacket }: BrokenHttp, socket: HttpSocket): string {
  const request = socket._httpMessage?.req;
  if (request && !request.complete) return pathAsSent(request.url);
  const bytes = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1') : '';
  const heads = [...bytes.matchAll(/^[A-Z]+ (\S+) HTTP\/\d/gm)];
  const target = heads.at(-1)?.[1];
  return target === undefined ? '' : pathAsSent(target);
}

/**
 * Responds to a request that Node could not parse as HTTP with a plain problem, and closes the connection (reading
 * 1.9). Responds to earlier complete requests first, so that a stored post doesn't seem to be rejected.
 */
export function brokenHttpAnswer(): (error: BrokenHttp, socket: HttpSocket) => void {
  const waiting = new WeakSet<HttpSocket>();
  return function answer(error, socket) {
    const earlier = socket._httpMessage;
    if (!earlier?.req.complete || (earlier.headersSent && !earlier.writableEnded)) {
      answerBrokenHttp(error, socket);
      return;
    }
    // Node reports the same error again for every byte that follows.
    if (waiting.has(socket)) return;
    waiting.add(socket);
    earlier.once('close', () => {
      waiting.delete(socket);
      if (socket.writable) answer(error, socket);
    });
  };
}

function answerBrokenHttp(error: BrokenHttp, socket: HttpSocket): void {
  // If part of a response has been sent, as in an event stream, another response would only corrupt it.
  if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) {
    socket.destroy();
    return;
  }
  const [status, title] = kinds[error.code ?? ''] ?? badRequest;
  const body = problemText(status, title, brokenPath(error, socket));
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Responds to a request whose headers Node accepts although HTTP forbids them. */
export function answerBrokenHead(reply: FastifyReply): void {
  const [status, title] = badRequest;
  reply
    .code(status)
    .headers({ 'content-type': 'application/problem+json', 'X-Content-Type-Options': 'nosniff', connection: 'close' })
    .send(Buffer.from(problemText(status, title, pathAsSent(reply.request.raw.url))));
}

/** Not one of the contract's problem kinds, because no page explains malformed requests. */
function problemText(status: number, title: string, instance: string): string {
  const detail = 'The request is not valid HTTP, too large or too slow.';
  return JSON.stringify({ type: 'about:blank', title, status, detail, instance });
}
