import { DeploymentEventIngest, endpoints, eventJson, headerNames, storedEvent } from '@shiplog/contract';
import { Problem } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { Posts } from '../posts.ts';
import type { RefusalCount } from '../refused-posts.ts';
import type { CoreApi } from './api.ts';

/** `POST /api/deployments` (§4 Write). */
export function addIngest(api: CoreApi, posts: Posts): void {
  api.serve('appendDeployment', async ({ body, headers }) => {
    const event = storedEvent(body, headers[headerNames.progressReporter]);
    const id = await posts.append(event);
    return {
      status: 201,
      headers: { [headerNames.location]: endpoints.getDeployment.path.replace('{id}', id) },
      json: eventJson(id, event.jsonRest),
    };
  });
}

/** Counts posts that are rejected because they are invalid. Must be added before the endpoints. */
export function addRefusals(app: FastifyInstance, refusals: Pick<RefusalCount, 'count'>): void {
  const { method, path } = endpoints.appendDeployment;
  // A hook for all routes would also run for, and end, requests with methods that the router doesn't know.
  app.addHook('onRoute', (route) => {
    if (route.url !== path || route.method !== method) return;
    route.onError = (_request, _reply, error, done) => {
      const reason = refusalReason(error);
      if (reason !== undefined) refusals.count(reason);
      done();
    };
  });
}

/** The reason, from a fixed list, whatever the post contains; `undefined` if the error isn't caused by the post. */
function refusalReason(error: unknown): string | undefined {
  if (!(error instanceof Problem) || error.status >= 500) return undefined;
  if (error.kind !== 'validation') return error.kind;
  const [, member = ''] = /^\/([^/]*)/.exec(error.options.errors?.[0]?.pointer ?? '') ?? [];
  return Object.hasOwn(DeploymentEventIngest.properties, member) ? `/${member}` : error.kind;
}
