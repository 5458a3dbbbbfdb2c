import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import cookie from '@fastify/cookie';
import { endpoints, qualityOf } from '@shiplog/contract';
import { Api, addContractPages, addFiles, addMetrics, createHttp } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { Access } from '../access/access.ts';
import type { ServiceAnswers } from '../answers.ts';
import type { CatalogFile } from '../catalog-file.ts';
import { findingSettings } from '../domain/finding.ts';
import type { ServiceLive } from '../live.ts';
import type { ServiceLog } from '../log.ts';
import type { PartOptions } from '../times.ts';
import { addAccess } from './access.ts';
import { addAnalytics } from './analytics.ts';
import { addBadges } from './badges.ts';
import { addBoardFacts } from './board-facts.ts';
import { addChanges } from './changes.ts';
import { ClientReads } from './client-reads.ts';
import { addControl } from './control.ts';
import { addEnvironmentsDiff } from './environments-diff.ts';
import { addEvidence } from './evidence.ts';
import { addHolds } from './holds.ts';
import { addIngest, addRefusals } from './ingest.ts';
import { addMatrix } from './matrix.ts';
import { addOutages } from './outages.ts';
import { addProbes } from './probes.ts';
import { addQuality } from './quality.ts';
import { addReads } from './reads.ts';
import { addReleases } from './releases.ts';
import { addSignIn, guardPages } from './sign-in.ts';
import { addStreams } from './streams.ts';
import { transientProblem } from './transient-problem.ts';

interface AppParts extends PartOptions {
  readonly log: ServiceLog;
  readonly answers: ServiceAnswers;
  readonly live: ServiceLive;
  readonly catalog: CatalogFile;
  readonly access: Access;
  readonly isStopping: () => boolean;
}

/** The base directory for relative paths in settings. */
const appFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Creates the app with all endpoints, the contract's pages, the metrics and the dashboard. Doesn't open a port. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, logger, metrics, times, log, answers, live, catalog, access } = parts;
  const { reads: queries, writes } = log.database;
  const { reads, questions, figures, outageFacts, knownOutages } = answers;
  const app = await createHttp({
    logger,
    problemBase: config.problemBase,
    publicUrl: config.publicUrl,
    metrics: metrics.http,
    drainMs: times.drainMs,
    trustedProxies: config.trustedProxies,
    toProblem: transientProblem,
  });
  addRefusals(app, log.refusals);
  await app.register(cookie);
  guardPages(app, access, config);
  const findings = findingSettings(config.accessFile !== undefined, config.provenEnvironments);
  const served = { ...endpoints, getQuality: qualityOf(findings.kinds) };
  const api = new Api(app, served, { guard: access.guard.judge, publicUrl: config.publicUrl });
  addIngest(api, log.posts, access);
  const clients = new ClientReads({ readsPerClient: config.readsPerClient, waitMs: times.readWaitMs, logger });
  const slow = { queries, reads, catalog, clients };
  const staged = { ...slow, settings: config.analytics, findings };
  addReads(api, slow, access);
  addMatrix(api, slow);
  addBoardFacts(api, staged);
  addReleases(api, slow);
  addChanges(api, staged);
  addBadges(api, queries);
  addEnvironmentsDiff(api, staged);
  addStreams(api, live.streams, access);
  addAnalytics(api, { ...slow, questions, outageFacts });
  addEvidence(api, { ...staged, figures, outageFacts, retentionDays: config.historyRetentionDays });
  addQuality(api, { ...staged, outageFacts, knownOutages });
  const { reports } = log;
  addControl(api, { queries, writes, questions: log.database.questions, reports, reset: live.reset, access });
  addHolds(api, { ...slow, writes, access });
  addOutages(api, { ...slow, writes, access, settings: config.analytics, linkHours: config.outageLinkHours });
  addAccess(api, { access, reads: queries, writes });
  addProbes(api, parts, clients);
  addContractPages(app, {
    served: api.served,
    problemBase: config.problemBase,
    publicUrl: config.publicUrl,
  });
  addMetrics(app, metrics.http);
  addSignIn(app, access, config);
  await addDashboard(app, parts);
  return app;
}

/** The API works without a built dashboard, so this is only a warning. */
async function addDashboard(app: FastifyInstance, { config, logger }: AppParts): Promise<void> {
  const folder = resolve(appFolder, config.dashboardDir);
  if (existsSync(join(folder, 'index.html'))) await addFiles(app, { path: '/', folder });
  else logger.warn(`No dashboard found in ${folder}. Build it with "npm run build", or set DASHBOARD_DIR.`);
}
