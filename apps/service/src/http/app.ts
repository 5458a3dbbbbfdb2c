import { addContractPages, createHttp, Keys, type Problem, unavailable } from '@shiplog/server';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Appender } from '../appender.ts';
import type { ServiceConfig } from '../config.ts';
import type { Queries } from '../db/database.ts';
import { DatabaseUnavailable } from '../db/errors.ts';
import type { ServiceMetrics } from '../metrics.ts';
import type { LiveStream } from '../streams.ts';
import { addIngest } from './ingest.ts';
import { addMatrix } from './matrix.ts';
import { addProbes, type ProbeSources } from './probes.ts';
import { addReads } from './reads.ts';
import { addDeploymentStream } from './streams.ts';
import { Surface } from './surface.ts';

export interface AppParts {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly metrics: ServiceMetrics;
  readonly queries: Queries;
  readonly appender: Appender;
  readonly deployments: LiveStream;
  readonly probes: ProbeSources;
}

/** The whole HTTP side of the service: every surface, the contract's pages, the metrics. Opens no port. */
export function createApp(parts: AppParts): FastifyInstance {
  const { config, metrics, queries } = parts;
  const app = createHttp({
    logger: parts.logger,
    problemBase: config.problemBase,
    metrics: metrics.http,
    toProblem: databaseProblem,
  });
  const surface = new Surface(app, new Keys(config.keys));
  addIngest(surface, parts.appender);
  addReads(surface, queries);
  addMatrix(surface, queries);
  addDeploymentStream(surface, parts.deployments);
  addProbes(surface, parts.probes);
  addContractPages(app, { served: surface.served, problemBase: config.problemBase });
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', metrics.http.registry.contentType).send(await metrics.http.registry.metrics()),
  );
  return app;
}

/** What the layers below could not do now is 503 with how long to wait (reading 8.3). */
function databaseProblem(error: unknown): Problem | undefined {
  if (!(error instanceof DatabaseUnavailable)) return undefined;
  return unavailable('The database cannot be reached; try again later.', { cause: error });
}
