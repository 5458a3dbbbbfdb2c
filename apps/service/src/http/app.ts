import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endpoints, type StoredEvent } from '@shiplog/contract';
import { Api, addContractPages, addFiles, addMetrics, createHttp, Keys } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Answers } from '../answers/answers.ts';
import type { Appender } from '../appender.ts';
import type { CatalogSource } from '../catalog-file.ts';
import type { ServiceConfig } from '../config.ts';
import type { Queries, Sessions } from '../db/database.ts';
import type { LogReads } from '../db/log-reads.ts';
import type { ComponentReport } from '../domain/component-report.ts';
import type { FutureLimit } from '../future-limit.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { RefusalCount } from '../refused-posts.ts';
import type { ResetRunner } from '../reset.ts';
import type { Streams } from '../streams.ts';
import { type AnalyticsQuestions, addAnalytics } from './analytics.ts';
import { addBadges } from './badges.ts';
import { addCatalog } from './catalog.ts';
import { ClientReads } from './client-reads.ts';
import { addControl } from './control.ts';
import { addEnvironmentsDiff } from './environments-diff.ts';
import { addEvidence } from './evidence.ts';
import { addFetcherState } from './fetcher.ts';
import { addIngest } from './ingest.ts';
import { addMatrix } from './matrix.ts';
import { passingProblem } from './passing-problem.ts';
import { addProbes, type ProbeSources } from './probes.ts';
import { addQuality } from './quality.ts';
import { addReads } from './reads.ts';
import { addRefusals } from './refusals.ts';
import { addReleases } from './releases.ts';
import { addStreams } from './streams.ts';

export interface AppParts {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
  readonly queries: Queries;
  /** For answers whose truth is a tick of the log. */
  readonly reads: LogReads;
  readonly answers: Answers;
  readonly questions: AnalyticsQuestions;
  /** For the few writes that are no appends. */
  readonly writes: Sessions;
  readonly appender: Appender<StoredEvent>;
  readonly future: FutureLimit;
  readonly reports: Appender<ComponentReport>;
  readonly refusals: RefusalCount;
  readonly reset: ResetRunner;
  readonly streams: Streams;
  readonly catalog: CatalogSource;
  readonly probes: ProbeSources;
  /** How long requests are still taken on open connections when the service stops. */
  readonly drainMs: number;
  /** How long a slow read waits where its client has as many in progress as it may. */
  readonly readWaitMs: number;
}

/** Where relative paths of settings begin. */
const appFolder = fileURLToPath(new URL('../../', import.meta.url));

/** The whole HTTP side of the service: every endpoint, the contract's pages, the metrics, the dashboard. Opens no port. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, metrics, queries } = parts;
  const app = await createHttp({
    logger: parts.logger,
    problemBase: config.problemBase,
    metrics: metrics.http,
    drainMs: parts.drainMs,
    trustedProxies: config.trustedProxies,
    toProblem: passingProblem,
  });
  addRefusals(app, parts.refusals);
  const api = new Api(app, endpoints, { keys: new Keys(config.keys) });
  addIngest(api, parts);
  const clients = new ClientReads({
    readsPerClient: config.readsPerClient,
    waitMs: parts.readWaitMs,
    logger: parts.logger,
  });
  const slow = { ...parts, clients };
  addReads(api, queries);
  addMatrix(api, slow);
  addCatalog(api, parts);
  addReleases(api, slow);
  addBadges(api, queries);
  addEnvironmentsDiff(api, slow);
  addStreams(api, parts.streams);
  addFetcherState(api, parts.writes);
  addAnalytics(api, slow);
  addEvidence(api, { ...slow, settings: config.analytics, retentionDays: config.historyRetentionDays });
  addQuality(api, slow);
  addControl(api, parts);
  addProbes(api, parts.probes, clients);
  addContractPages(app, { served: api.served, problemBase: config.problemBase });
  addMetrics(app, metrics.http);
  await addDashboard(app, parts);
  return app;
}

/** An API without its pages is still an API: where the dashboard is not built, the log says so. */
async function addDashboard(app: FastifyInstance, { config, logger }: AppParts): Promise<void> {
  const folder = resolve(appFolder, config.dashboardDir);
  if (existsSync(join(folder, 'index.html'))) await addFiles(app, { path: '/', folder });
  else logger.warn(`There is no dashboard in ${folder}; "npm run build" makes it, or DASHBOARD_DIR says where it is.`);
}
