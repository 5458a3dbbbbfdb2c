import { DeploymentEventIngest, endpoints } from '@shiplog/contract';
import { Problem } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { RefusalCount } from '../refused-posts.ts';

/** Counts posts that are refused because they are invalid. Must be added before the endpoints. */
export function addRefusals(app: FastifyInstance, refusals: Pick<RefusalCount, 'count'>): void {
  const { method, path } = endpoints.appendDeployment;
  // For this route only: a hook for all routes would also run for methods that the router doesn't know, and end them.
  app.addHook('onRoute', (route) => {
    if (route.url !== path || route.method !== method) return;
    route.onError = (_request, _reply, error, done) => {
      const reason = refusalReason(error);
      if (reason !== undefined) refusals.count(reason);
      done();
    };
  });
}

/** One of a short list, whatever the post contains; `undefined` if the post isn't at fault. */
function refusalReason(error: unknown): string | undefined {
  if (!(error instanceof Problem) || error.status >= 500) return undefined;
  if (error.kind !== 'validation') return error.kind;
  const [, member = ''] = /^\/([^/]*)/.exec(error.options.errors?.[0]?.pointer ?? '') ?? [];
  return Object.hasOwn(DeploymentEventIngest.properties, member) ? `/${member}` : error.kind;
}
