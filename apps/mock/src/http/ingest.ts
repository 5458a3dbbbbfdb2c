import { mockApplicationEndpoints } from '@shiplog/companions';
import { headerNames } from '@shiplog/contract';
import type { MockState } from '../state.ts';
import type { MockApi } from './api.ts';

/** `POST /api/deployments`, which accepts three statuses (companion services §4). */
export function addIngest(api: MockApi, state: MockState): void {
  api.serve('appendDeployment', async ({ body, headers }) => {
    const { id, json } = state.take(body, 'write-api', headers[headerNames.progressReporter]);
    const location = mockApplicationEndpoints.getDeployment.path.replace('{id}', id);
    return { status: 201, headers: { [headerNames.location]: location }, json };
  });
}
