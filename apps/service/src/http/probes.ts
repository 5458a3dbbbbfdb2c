import { channels, headerNames, type ReadinessCheck, readinessChecks } from '@shiplog/contract';
import { livenessAnswer, momentary, Problem, proxyTrust, versionAnswer } from '@shiplog/server';
import { type FoldProgress, foldProgress } from '../db/folds/progress.ts';
import type { ServiceLive } from '../live.ts';
import type { ServiceLog } from '../log.ts';
import type { CoreApi } from './api.ts';
import type { ClientReads } from './client-reads.ts';

interface ProbeSources {
  readonly log: Pick<ServiceLog, 'database' | 'folding' | 'posts'>;
  readonly live: Pick<ServiceLive, 'listener'>;
  readonly isStopping: () => boolean;
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
    if (sources.isStopping()) throw notReady('The service is shutting down.', checks);
    if (failed.length > 0) throw notReady(`Not ready: ${failed.join(', ')} failed.`, checks);
    const preparing = await buildProgress(sources);
    return momentary({ status: 'ready', checks, ...(preparing && { preparing }) });
  });
}

type Checks = Record<ReadinessCheck, 'ok' | 'fail'>;

async function readiness({ log, live }: ProbeSources): Promise<Checks> {
  const db = await databaseAnswers(log).then(
    () => 'ok',
    () => 'fail',
  );
  const listen = live.listener.attached ? 'ok' : 'fail';
  return { db, listen, ...Object.fromEntries(channels.map((channel) => [channel, listen])) } as Checks;
}

function notReady(detail: string, checks: Checks): Problem {
  return new Problem('unavailable', { detail, checks, headers: { [headerNames.retryAfter]: '5' } });
}

/** Rejects if reads or posts fail. */
async function databaseAnswers({ database, posts }: ProbeSources['log']): Promise<void> {
  posts.health.check();
  await database.answers();
}

/** How far the folds of a long log are built; `undefined` once they are. */
async function buildProgress({ log }: ProbeSources): Promise<FoldProgress | undefined> {
  if (log.folding.hasAllEvents) return undefined;
  const { progress } = await foldProgress(log.database.probes).catch(() => ({ progress: undefined }));
  return progress;
}
