import { contractVersion, headerNames, productVersion } from '@shiplog/contract';
import { Problem } from '@shiplog/server';
import type { MockApi } from './api.ts';

/** Always ok, because there is neither a database nor a listener (companion services §4). */
const checks = { db: 'ok', listen: 'ok' } as const;

/** `GET /healthz` and `GET /readyz` (reading 8.2), and `GET /api/version` (reading 8.6). */
export function addProbes(api: MockApi, stopping: () => boolean): void {
  api.serve('getLiveness', async () => ({ status: 200, json: '{"status":"ok"}' }));
  const version = JSON.stringify({ version: productVersion, contract: contractVersion });
  api.serve('getVersion', async () => ({ status: 200, json: version }));

  api.serve('getReadiness', async () => {
    if (stopping()) {
      const headers = { [headerNames.retryAfter]: '5' };
      throw new Problem('unavailable', { detail: 'The mock is shutting down.', checks, headers });
    }
    return { status: 200, headers: { 'Cache-Control': 'no-store' }, json: JSON.stringify({ status: 'ready', checks }) };
  });
}
