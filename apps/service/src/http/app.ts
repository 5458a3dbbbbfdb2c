import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@shiplog/contract';
import { Api, addContractPages, addFiles, addMetrics, createHttp, Keys } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { ServiceAnswers } from '../answers.ts';
import type { CatalogFile } from '../catalog-file.ts';
import type { ServiceLive } from '../live.ts';
import type { ServiceLog } from '../log.ts';
import type { PartOptions } from '../times.ts';
import { addAnalytics } from './analytics.ts';
import { addBadges } from './badges.ts';
import { addBoardFacts } from './board-facts.ts';
import { addChanges } from './changes.ts';
import { ClientReads } from './client-reads.ts';
import { addControl } from './control.ts';
import { addEnvironmentsDiff } from './environments-diff.ts';
import { addEvidence } from './evidence.ts';
import { addIngest, addRefusals } from './ingest.ts';
import { addMatrix } from './matrix.ts';
import { addProbes } from './probes.ts';
import { addQuality } from './quality.ts';
import { addReads } from './reads.ts';
import { addReleases } from './releases.ts';
import { addStreams } from './streams.ts';
import { transientProblem } from './transient-problem.ts';

interface AppParts extends PartOptions {
  readonly log: ServiceLog;
  readonly answers: ServiceAnswers;
  readonly live: ServiceLive;
  readonly catalog: CatalogFile;
  readonly isStopping: () => boolean;
}

/** The base directory for relative paths in settings. */
const appFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Creates the app with all endpoints, the contract's pages, the metrics and the dashboard. Doesn't open a port. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, logger, metrics, times, log, answers, live, catalog } = parts;
  const { reads: queries, writes } = log.database;
  const { reads, questions } = answers;
  const app = await createHttp({
    logger,
    problemBase: config.problemBase,
    metrics: metrics.http,
    drainMs: times.drainMs,
    trustedProxies: config.trustedProxies,
    toProblem: transientProblem,
  });
  addRefusals(app, log.refusals);
  const api = new Api(app, endpoints, { keys: new Keys(config.keys) });
  addIngest(api, log.posts);
  const clients = new ClientReads({ readsPerClient: config.readsPerClient, waitMs: times.readWaitMs, logger });
  const slow = { queries, reads, catalog, clients };
  addReads(api, slow);
  addMatrix(api, slow);
  addBoardFacts(api, { ...slow, settings: config.analytics });
  addReleases(api, slow);
  addChanges(api, slow);
  addBadges(api, queries);
  addEnvironmentsDiff(api, slow);
  addStreams(api, live.streams);
  addAnalytics(api, { ...slow, questions });
  addEvidence(api, { ...slow, settings: config.analytics, retentionDays: config.historyRetentionDays });
  addQuality(api, slow);
  addControl(api, { queries, writes, reports: log.reports, reset: live.reset });
  addProbes(api, parts, clients);
  addContractPages(app, { served: api.served, problemBase: config.problemBase });
  addMetrics(app, metrics.http);
  await addDashboard(app, parts);
  return app;
}

/** The API works without a built dashboard, so this is only a warning. */
async function addDashboard(app: FastifyInstance, { config, logger }: AppParts): Promise<void> {
  const folder = resolve(appFolder, config.dashboardDir);
  if (existsSync(join(folder, 'index.html'))) await addFiles(app, { path: '/', folder });
  else logger.warn(`No dashboard found in ${folder}. Build it with "npm run build", or set DASHBOARD_DIR.`);
}
