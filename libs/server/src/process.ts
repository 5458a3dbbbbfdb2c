import type { Logger } from 'pino';

/** Whatever lives long: stopping twice, or before the start has ended, is fine. */
export interface Stoppable {
  stop(): Promise<void>;
}

/** A fault that a person can mend: its message is one sentence (or one per line) that says what to do. */
export class StartFault extends Error {}

/** How long a shutdown may take before the process ends all the same. */
const shutdownMs = 10_000;

/**
 * Runs a program until SIGINT or SIGTERM: starts it, stops it once, ends with exit code 0. A start that fails ends with
 * exit code 1 and its sentence on standard error; an unexpected error in it ends with the whole error in the log.
 */
export async function runProgram(start: (signal: AbortSignal) => Promise<Stoppable>, logger: Logger): Promise<void> {
  const stopping = new AbortController();
  const signalled = new Promise<string>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      process.on(name, () => {
        stopping.abort();
        resolve(name);
      });
    }
  });
  let program: Stoppable;
  try {
    program = await start(stopping.signal);
  } catch (error) {
    endWithFault(error, logger);
    return;
  }
  logger.info({ signal: await signalled }, 'stopping');
  setTimeout(() => {
    logger.error(`not stopped after ${shutdownMs} ms; ending all the same`);
    process.exit(1);
  }, shutdownMs).unref();
  await program.stop();
  logger.info('stopped');
  logger.flush();
  process.exit(0);
}

function endWithFault(error: unknown, logger: Logger): void {
  if (error instanceof StartFault) {
    logger.fatal(error.message);
    process.stderr.write(`\nShiplog cannot start.\n${error.message}\n\n`);
  } else {
    logger.fatal({ err: error }, 'cannot start');
  }
  logger.flush();
  process.exit(1);
}
