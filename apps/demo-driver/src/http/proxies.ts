import { neighbourPaths } from '@shiplog/companions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DriverApi } from './api.ts';
import { callUpstream, headOf, queryOf } from './upstream.ts';

export interface ProxyParts {
  readonly emulatorUrl: string;
  readonly timeoutMs: number;
}

/** Forwards calls from browsers to the CI emulator (companion services §4 Proxy rules, reading 9.7). */
export function addProxies(api: DriverApi, parts: ProxyParts): void {
  const { emulatorStatus, emulatorSeed, emulatorClear, emulatorEmission } = neighbourPaths;
  api.serve('getEmulatorStatus', (context) => forward(context, emulatorStatus, parts));
  api.serve('seedEmulator', (context) => forward(context, emulatorSeed, parts));
  api.serve('clearEmulator', (context) => forward(context, emulatorClear, parts));
  api.serve('getEmulatorEmission', (context) => forward(context, emulatorEmission, parts));
  api.serve('switchEmulatorEmission', (context) => forward(context, emulatorEmission, parts));
}

async function forward(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  path: string,
  { emulatorUrl, timeoutMs }: ProxyParts,
): Promise<undefined> {
  const answer = await callUpstream({
    url: `${emulatorUrl}${path}${queryOf(request)}`,
    method: request.method === 'HEAD' ? 'GET' : request.method,
    ...sentBody(request),
    caller: reply.raw,
    timeoutMs,
  });
  answer.setTimeout(timeoutMs, () => answer.destroy(new Error('upstream cut off its response')));
  reply
    .code(answer.statusCode ?? 502)
    .headers({ ...headOf(answer), 'Cache-Control': 'no-store, no-transform', 'X-Content-Type-Options': 'nosniff' })
    .send(answer);
}

/** The body and its type as sent. The type is from the raw headers; `headers` has the type for the parser. */
function sentBody({ method, body, raw }: FastifyRequest) {
  const [type] = raw.headersDistinct['content-type'] ?? [];
  const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
  if (method !== 'POST') return { headers };
  const bytes = (body as Buffer | undefined) ?? Buffer.alloc(0);
  return { headers: { ...headers, 'Content-Length': String(bytes.length) }, body: bytes };
}
