import { headerNames, mockApplicationEndpoints } from '@shiplog/contract';
import type { World } from '../world.ts';
import type { MockSurface } from './surface.ts';

/** `POST /api/deployments`, of three statuses (companion services §4). */
export function addIngest(surface: MockSurface, world: World): void {
  surface.serve('appendDeployment', async ({ body, headers }) => {
    const { id, json } = world.take(body, 'write-api', headers[headerNames.progressReporter]);
    const location = mockApplicationEndpoints.getDeployment.path.replace('{id}', id);
    return { status: 201, headers: { [headerNames.location]: location }, json };
  });
}
