import { endpoints, eventJson, headerNames, storedEvent } from '@shiplog/contract';
import type { Posts } from '../posts.ts';
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
