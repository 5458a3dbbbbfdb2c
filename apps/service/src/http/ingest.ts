import { DeploymentEventIngest, endpoints, eventJson, headerNames, storedEvent } from '@shiplog/contract';
import { Problem } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { Access } from '../access/access.ts';
import type { Posts } from '../posts.ts';
import type { RefusalCount } from '../refused-posts.ts';
import type { CoreApi } from './api.ts';

/** `POST /api/deployments` (§4 Write). */
export function addIngest(api: CoreApi, posts: Posts, access: Pick<Access, 'guard' | 'posts'>): void {
  api.serve('appendDeployment', async ({ body, headers, request }) => {
    const sender = access.guard.senderOf(request);
    const event = storedEvent(body, headers[headerNames.progressReporter]);
    // While a reset clears the log, even a sender who may not post is told to retry.
    const { proof, pins } = await access.posts.judge(sender, body, () => posts.requireOpen());
    const id = await access.posts.noted(sender, body, pins, (onPinned) =>
      posts.appendPinned({ ...event, proof }, pins, onPinned),
    );
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
