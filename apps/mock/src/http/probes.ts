import { headerNames } from '@shiplog/contract';
import { livenessAnswer, momentary, Problem, versionAnswer } from '@shiplog/server';
import type { MockApi } from './api.ts';

/** Always ok: the mock has neither a database nor a listener (companion services §4). */
const checks = { db: 'ok', listen: 'ok' } as const;

/** `GET /healthz` and `GET /readyz` (reading 8.2), and `GET /api/version` (reading 8.6). */
export function addProbes(api: MockApi, stopping: () => boolean): void {
  api.serve('getLiveness', async () => livenessAnswer);
  api.serve('getVersion', async () => versionAnswer);
  api.serve('getReadiness', async () => {
    if (stopping()) {
      const headers = { [headerNames.retryAfter]: '5' };
      throw new Problem('unavailable', { detail: 'The mock is shutting down.', checks, headers });
    }
    return momentary({ status: 'ready', checks });
  });
}
