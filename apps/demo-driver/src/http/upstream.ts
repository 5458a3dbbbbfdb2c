import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Problem } from '@shiplog/server';
import type { FastifyRequest } from 'fastify';

export interface UpstreamCall {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  /** The response that waits for this call. If its reader disconnects, the call is cancelled. */
  readonly caller: ServerResponse;
  /** How long upstream may take until its response begins. */
  readonly timeoutMs: number;
}

/**
 * Makes a call whose response is passed on byte for byte; `fetch` would decompress it and follow redirects. Resolves as
 * soon as the response head has arrived, whatever its status (reading 9.7).
 * @throws Problem 502 without a response, 504 if it does not begin in time.
 */
export function callUpstream(call: UpstreamCall): Promise<IncomingMessage> {
  const { url, method, headers, body, caller, timeoutMs } = call;
  const send = /^https:/i.test(url) ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // Always use a new connection, because upstream may have closed a kept-alive one.
    const outgoing = send(url, { method, headers, agent: false }, (answer) => {
      clearTimeout(timer);
      answer.socket.setKeepAlive(true, keepAliveMs);
      resolve(answer);
    });
    const timer = setTimeout(() => {
      reject(new Problem('upstream', { status: 504, detail: 'The upstream server did not answer in time.' }));
      outgoing.destroy();
    }, timeoutMs);
    outgoing.on('error', (cause) => {
      clearTimeout(timer);
      reject(new Problem('upstream', { detail: "Can't reach the upstream server.", cause }));
    });
    if (caller.destroyed) outgoing.destroy();
    caller.once('close', () => outgoing.destroy());
    outgoing.end(body);
  });
}

/** After this time of silence, TCP keep-alive checks whether the other side is still connected. */
const keepAliveMs = 30_000;

/** The query of a request as sent, including `?`; empty without a query. */
export function queryOf({ raw: { url = '' } }: FastifyRequest): string {
  return /\?[^#]*/.exec(url)?.[0] ?? '';
}

/** The response headers that are passed on. */
const passedHeaders = ['content-type', 'content-encoding', 'location', 'retry-after', 'allow'] as const;

export function headOf(answer: IncomingMessage): Record<string, string> {
  const { headers } = answer;
  return Object.fromEntries(
    passedHeaders.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}
