import { type HealthStatus, neighbourPaths } from '@shiplog/companions';
import { endpoints } from '@shiplog/contract';

export interface Neighbours {
  readonly writeApiUrl: string;
  readonly emulatorUrl: string;
  readonly fetcherUrl: string;
}

/** Probes all programs in parallel; a program is up if it answers 2xx within `timeoutMs` (§2 HealthStatus). */
export async function probeHealth(neighbours: Neighbours, timeoutMs: number): Promise<HealthStatus> {
  const [api, emulator, fetcher] = await Promise.all([
    probe(`${neighbours.writeApiUrl}${endpoints.getLiveness.path}`, timeoutMs),
    probe(`${neighbours.emulatorUrl}${neighbourPaths.emulatorStatus}`, timeoutMs),
    probe(`${neighbours.fetcherUrl}${neighbourPaths.fetcherHealth}`, timeoutMs),
  ]);
  return { driver: 'up', api, emulator, fetcher };
}

async function probe(url: string, timeoutMs: number): Promise<'up' | 'down'> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    // Only the status counts; a body that never ends must not keep the connection open.
    void response.body?.cancel().catch(() => undefined);
    return response.ok ? 'up' : 'down';
  } catch {
    return 'down';
  }
}
