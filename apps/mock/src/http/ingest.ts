import { mockApplicationEndpoints } from '@shiplog/companions';
import { headerNames } from '@shiplog/contract';
import type { World } from '../world.ts';
import type { MockApi } from './api.ts';

/** `POST /api/deployments`, of three statuses (companion services §4). */
export function addIngest(api: MockApi, world: World): void {
  api.serve('appendDeployment', async ({ body, headers }) => {
    const { id, json } = world.take(body, 'write-api', headers[headerNames.progressReporter]);
    const location = mockApplicationEndpoints.getDeployment.path.replace('{id}', id);
    return { status: 201, headers: { [headerNames.location]: location }, json };
  });
}
