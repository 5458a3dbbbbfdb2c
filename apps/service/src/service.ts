import { DatabaseStartError } from '@shiplog/embedded-postgres';
import { descriptorRoom, httpLimits, listen, StartError, type Stoppable, stopOnce } from '@shiplog/server';
import type { Logger } from 'pino';
import { Access } from './access/access.ts';
import { openAnswers } from './answers.ts';
import { CatalogFile } from './catalog-file.ts';
import type { ServiceConfig } from './config.ts';
import { createApp } from './http/app.ts';
import { openLive } from './live.ts';
import { openLog } from './log.ts';
import { ServiceMetrics } from './metrics.ts';
import { type ServiceTimes, serviceTimes } from './times.ts';

export interface Service extends Stoppable {
  /** The URL to open in a browser. */
  readonly url: string;
}

export interface ServiceOptions {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly times?: Partial<ServiceTimes>;
  /** Aborts the start and stops everything that has been started. */
  readonly signal?: AbortSignal;
}

/**
 * Starts one instance and connects its parts: the log, the queries, the streams and HTTP.
 * @throws StartError for anything that the user must correct.
 */
export async function startService({ config, logger, signal, ...options }: ServiceOptions): Promise<Service> {
  const times = { ...serviceTimes, ...options.times };
  const parts: Stoppable[] = [];
  const { warning } = descriptorRoom(httpLimits.connections);
  if (warning !== undefined) logger.warn(warning);
  const stopParts = stopOnce(async () => {
    for (const part of parts.reverse()) await part.stop();
  });
  try {
    const metrics = new ServiceMetrics();
    const shared = { config, logger, metrics, times, signal };
    const catalog = await CatalogFile.open({ path: config.catalogFile, pollMs: times.catalogPollMs, metrics, logger });
    parts.push(catalog);
    const log = await openLog(shared, parts);
    const access = await Access.open({ ...shared, database: log.database, catalog });
    parts.push(access);
    const answers = openAnswers(shared, log);
    const live = await openLive(shared, log, parts);
    log.retention.start();
    catalog.start();
    access.start();

    let isStopping = false;
    const app = await createApp({ ...shared, log, answers, live, catalog, access, isStopping: () => isStopping });
    parts.push({ stop: () => app.close() });
    const url = await listen(app, config);
    logger.info({ url, docs: `${url}/docs` }, `ready: open ${url}; data lives in ${log.location}`);
    return {
      url,
      stop: async () => {
        isStopping = true;
        for (const stream of Object.values(live.streams)) stream.stop();
        await stopParts();
      },
    };
  } catch (error) {
    await stopParts();
    throw error instanceof DatabaseStartError ? new StartError(error.message) : error;
  }
}
