import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createLogger } from './logger.ts';
import { SettingsError } from './settings.ts';

/** A long-lived part of a program. Stopping it twice, or during its start, is safe. */
export interface Stoppable {
  stop(): Promise<void>;
}

/** Wraps a stop function so that it runs only once. Later calls wait for the first to end. */
export function stopOnce(stop: () => Promise<void>): () => Promise<void> {
  let stopping: Promise<void> | undefined;
  return () => {
    stopping ??= stop();
    return stopping;
  };
}

/** An error that the user can correct: its message says what to do. */
export class StartError extends Error {}

/** How long a shutdown may take before the process ends anyway. */
const shutdownMs = 10_000;

/** Reads the configuration, then runs the program until SIGINT or SIGTERM. Every `main` calls this. */
export async function runMain<Config extends { readonly logLevel: string }>(
  readConfig: () => Config,
  start: (config: Config, logger: Logger, signal: AbortSignal) => Promise<Stoppable>,
): Promise<void> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    const startError = error instanceof SettingsError ? new StartError(error.message) : error;
    return endWithError(startError, createLogger('info'));
  }
  const logger = createLogger(config.logLevel);
  logWarnings(logger);
  await runProgram((signal) => start(config, logger, signal), logger);
}

/**
 * Exits with 0 after a signal, and with 1 if the start fails. Writes a `StartError` to standard error and any other
 * error to the log. A signal during the start aborts the start. The process ends in time even if something hangs.
 */
async function runProgram(start: (signal: AbortSignal) => Promise<Stoppable>, logger: Logger): Promise<void> {
  const stopping = new AbortController();
  const signalled = once(stopping.signal, 'abort');
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (stopping.signal.aborted) return;
      logger.info({ signal: name }, 'stopping');
      endAnyway(logger);
      stopping.abort();
    });
  }
  let program: Stoppable | undefined;
  try {
    program = await start(stopping.signal);
  } catch (error) {
    // An aborted start rejects with the abort error.
    if (!stopping.signal.aborted) return endWithError(error, logger);
  }
  await signalled;
  await program?.stop();
  logger.info('stopped');
  process.exit(0);
}

function endAnyway(logger: Logger): void {
  setTimeout(() => {
    logger.error(`not stopped after ${shutdownMs} ms; exiting anyway`);
    process.exit(1);
  }, shutdownMs).unref();
}

/** Writes warnings of Node and libraries to the log instead of standard error. */
function logWarnings(logger: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logger.warn({ err: warning }, warning.message));
}

function endWithError(error: unknown, logger: Logger): void {
  if (error instanceof StartError) {
    logger.fatal(error.message);
    process.stderr.write(`\nShiplog cannot start.\n${error.message}\n\n`);
  } else {
    logger.fatal({ err: error }, 'cannot start');
  }
  process.exit(1);
}

interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Listens and returns the URL.
 * @throws StartError if the address can't be used.
 */
export async function listen(app: FastifyInstance, { host, port }: Address): Promise<string> {
  return app.listen({ host, port }).catch((error) => {
    throw listenError(error, { host, port });
  });
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartError(`Port ${port} on ${host} is in use by another program. Stop it, or set PORT to a free port.`);
  }
  if (error.code === 'EACCES')
    return new StartError(`Port ${port} requires privileges that this user doesn't have. Set PORT to 1024 or above.`);
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(error.code ?? '')) {
    return new StartError(
      `HOST is ${host}, which isn't an address of this machine. Set it to 127.0.0.1, or to 0.0.0.0 for all.`,
    );
  }
  return error;
}
