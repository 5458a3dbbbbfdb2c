import { hash } from 'node:crypto';
import type { CiFaultEffect } from '@shiplog/companions';
import { pathAsSent } from '@shiplog/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EmulatorState } from '../emulator-state.ts';
import type { Call } from '../surface/answer.ts';
import { effectName } from '../surface/faults.ts';
import type { Surface } from '../surface/surface.ts';
import { writeAnswer } from '../surface/transport.ts';

/** Below `/_ci/`, only the addresses of artifacts belong to a tool. */
const ownPath = /^\/_ci(\/(?!blobs\/)|$)/;
const gitlabPath = /^\/api\/(v4|graphql)(\/|$)/;

/** All other requests go to a tool; GitHub is served at the root (CI emulator §3, §4). `signal` ends open responses. */
export function addTools(app: FastifyInstance, state: EmulatorState, signal: AbortSignal): void {
  const underWay = new Map<string, number>();
  app.all('/*', async (request, reply) => {
    const path = pathAsSent(request.raw.url);
    const refused = app.notServed(request);
    if (ownPath.test(path) || refused.kind === 'method-not-allowed') throw refused;
    await answer({ request, reply, path, surface: surfaceAt(path) });
    return reply;
  });

  function surfaceAt(path: string): Surface {
    return state.issuers.at(path) ?? (gitlabPath.test(path) ? state.gitlab : state.github);
  }

  async function answer({ request, reply, path, surface }: Asked): Promise<void> {
    const first = callOf(request, { path, surface, now: state.clock.now() });
    const effect = state.faults.meet(first) ?? surface.standingEffect ?? {};
    const call = {
      ...first,
      seenAt: effect.lag_ms === undefined ? Number.POSITIVE_INFINITY : first.now - effect.lag_ms,
    };
    const who = `${call.tool} ${call.token ?? ''}`;
    const atOnce = (underWay.get(who) ?? 0) + 1;
    underWay.set(who, atOnce);
    const judged = surface.judge(call, effect, atOnce);
    if (!state.issuers.at(path)) state.lastAsked = surface;
    state.log.add({
      at: new Date(call.now).toISOString(),
      tool: call.tool,
      method: request.method,
      path,
      query: call.query,
      status: effect.hang ? 0 : judged.answer.status,
      charged: judged.charged,
      conditional: request.headers['if-none-match'] !== undefined,
      token_hash: hash('sha256', call.token ?? '').slice(0, 8),
      ...faultName(effect),
    });
    reply.hijack();
    try {
      const date = new Date(call.now + (effect.skew_ms ?? 0));
      await writeAnswer(reply.raw, judged.answer, { date, effect, signal });
    } finally {
      underWay.set(who, (underWay.get(who) ?? 1) - 1);
    }
  }
}

interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly path: string;
  readonly surface: Surface;
}

function faultName(effect: CiFaultEffect): { readonly fault?: string } {
  const fault = effectName(effect);
  return fault === '' ? {} : { fault };
}

function callOf(
  request: FastifyRequest,
  { path, surface, now }: { readonly path: string; readonly surface: Surface; readonly now: number },
): Call {
  const url = request.raw.url ?? '';
  const queryAt = url.indexOf('?');
  const query = queryAt < 0 ? '' : url.slice(queryAt + 1);
  return {
    tool: surface.tool,
    // A HEAD is answered like its GET; Node omits the body.
    method: request.method === 'HEAD' ? 'GET' : request.method,
    path,
    query,
    parameters: new URLSearchParams(query),
    headers: request.raw.headers,
    body: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
    origin: `${request.protocol}://${request.headers.host ?? 'localhost'}`,
    token: surface.tokenOf(request.raw.headers),
    now,
    seenAt: Number.POSITIVE_INFINITY,
  };
}
