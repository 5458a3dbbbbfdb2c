import { DeploymentEventIngest, endpoints } from '@shiplog/contract';
import { Problem } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { RefusalCount } from '../refused-posts.ts';

/** Counts the posts that are refused for a fault of their own. Must come before the endpoints. */
export function addRefusals(app: FastifyInstance, refusals: Pick<RefusalCount, 'count'>): void {
  const { method, path } = endpoints.appendDeployment;
  // Of this route alone: a hook of all routes would also run for methods that the router doesn't know, and end them.
  app.addHook('onRoute', (route) => {
    if (route.url !== path || route.method !== method) return;
    route.onError = (_request, _reply, error, done) => {
      const reason = reasonOf(error);
      if (reason !== undefined) refusals.count(reason);
      done();
    };
  });
}

/** Of a short list, whatever a post holds; `undefined` where the fault isn't the post's. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Problem) || error.status >= 500) return undefined;
  if (error.kind !== 'validation') return error.kind;
  const [, member = ''] = /^\/([^/]*)/.exec(error.options.errors?.[0]?.pointer ?? '') ?? [];
  return Object.hasOwn(DeploymentEventIngest.properties, member) ? `/${member}` : error.kind;
}
