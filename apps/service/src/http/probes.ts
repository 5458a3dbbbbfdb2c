import { channels, headerNames, type ReadinessCheck, readinessChecks } from '@shiplog/contract';
import { livenessAnswer, momentary, Problem, proxyTrust, versionAnswer } from '@shiplog/server';
import type { CoreApi } from './api.ts';
import type { ClientReads } from './client-reads.ts';

export interface ProbeSources {
  /** Rejects where the database does not answer, or posts would get no connection to it. */
  readonly answers: () => Promise<void>;
  /** Whether the notification channels are attached; they are attached together or not at all. */
  readonly attached: () => boolean;
  readonly stopping: () => boolean;
}

/** `GET /healthz` and `GET /readyz` (§4 Ops, reading 8.2), and `GET /api/version` (reading 8.6). */
export function addProbes(api: CoreApi, sources: ProbeSources, clients: ClientReads): void {
  api.serve('getLiveness', async () => livenessAnswer);
  api.serve('getVersion', async ({ request }) =>
    clients.isLimited
      ? { ...versionAnswer, headers: { [headerNames.proxyTrust]: proxyTrust(request) } }
      : versionAnswer,
  );
  api.serve('getReadiness', async () => {
    const checks = await readiness(sources);
    const failed = readinessChecks.filter((check) => checks[check] === 'fail');
    if (sources.stopping()) throw notReady('The service is shutting down.', checks);
    if (failed.length > 0) throw notReady(`Not ready: ${failed.join(', ')} failed.`, checks);
    return momentary({ status: 'ready', checks });
  });
}

type Checks = Record<ReadinessCheck, 'ok' | 'fail'>;

async function readiness({ answers, attached }: ProbeSources): Promise<Checks> {
  const db = await answers().then(
    () => 'ok',
    () => 'fail',
  );
  const listen = attached() ? 'ok' : 'fail';
  return { db, listen, ...Object.fromEntries(channels.map((channel) => [channel, listen])) } as Checks;
}

function notReady(detail: string, checks: Checks): Problem {
  return new Problem('unavailable', { detail, checks, headers: { [headerNames.retryAfter]: '5' } });
}
