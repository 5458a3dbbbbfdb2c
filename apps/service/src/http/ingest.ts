import { endpoints, eventJson, headerNames, type StoredEvent, storedEvent } from '@shiplog/contract';
import type { Appender } from '../appender.ts';
import type { FutureLimit } from '../future-limit.ts';
import type { CoreApi } from './api.ts';

export interface IngestParts {
  readonly appender: Appender<StoredEvent>;
  readonly future: FutureLimit;
}

/** `POST /api/deployments` (§4 Write). */
export function addIngest(api: CoreApi, { appender, future }: IngestParts): void {
  api.serve('appendDeployment', async ({ body, headers }) => {
    const event = storedEvent(body, headers[headerNames.progressReporter]);
    await future.check(event.happenedAt);
    const id = await appender.append(event);
    return {
      status: 201,
      headers: { [headerNames.location]: endpoints.getDeployment.path.replace('{id}', id) },
      json: eventJson(id, event.jsonRest),
    };
  });
}
