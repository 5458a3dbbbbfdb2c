import { endpoints, eventJson, headerNames, type StoredEvent, storedEvent } from '@shiplog/contract';
import type { Appender } from '../appender.ts';
import type { CoreApi } from './api.ts';

/** `POST /api/deployments` (§4 Write). */
export function addIngest(api: CoreApi, appender: Appender<StoredEvent>): void {
  api.serve('appendDeployment', async ({ body, headers }) => {
    const event = storedEvent(body, headers[headerNames.progressReporter]);
    const id = await appender.append(event);
    return {
      status: 201,
      headers: { [headerNames.location]: endpoints.getDeployment.path.replace('{id}', id) },
      json: eventJson(id, event.jsonRest),
    };
  });
}
