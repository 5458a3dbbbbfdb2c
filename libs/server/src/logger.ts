import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { collapseRepeats } from './repeats.ts';

/**
 * A program's log: JSON lines, on standard output by default. Repeated lines are summarized once a minute. Only parts
 * of an error are logged, because library errors contain whole clients and sockets, including their secrets.
 */
export function createLogger(level: string, destination: DestinationStream = standardOutput()): Logger {
  const hooks: LoggerOptions['hooks'] = { logMethod: collapseRepeats(() => logger) };
  const logger: Logger = pino({ level, serializers: { err: errorLine }, hooks }, destination);
  return logger;
}

/**
 * Synchronous, so that the last lines before an exit are written. If the log goes to a pipe and its reader has exited,
 * Pino's background writer would retry forever.
 */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: true });
}

function errorLine(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as { code?: unknown };
  return {
    type: error.constructor.name,
    message: error.message,
    ...(code !== undefined && { code }),
    stack: error.stack,
    ...(error.cause instanceof Error && { cause: errorLine(error.cause) }),
  };
}
