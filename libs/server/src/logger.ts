import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { collapseRepeats } from './repeats.ts';

/**
 * A program's log: JSON lines, on standard output by default; repeated lines are counted and summarized once a minute. Of
 * an error only type, message, code, stack and cause are logged: errors of libraries hold whole clients and sockets, with the
 * secrets in them.
 */
export function createLogger(level: string, destination: DestinationStream = standardOutput()): Logger {
  const hooks: LoggerOptions['hooks'] = { logMethod: collapseRepeats(() => logger) };
  const logger: Logger = pino({ level, serializers: { err: errorLine }, hooks }, destination);
  return logger;
}

/**
 * Written synchronously, so that the last lines of a program that ends are written too. Pino's background writer retries
 * for ever when the reader of a pipe is gone, and the program would not end at all.
 */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: true });
}

interface ErrorLine {
  readonly type: string;
  readonly message: string;
  readonly code?: unknown;
  readonly stack?: string | undefined;
  readonly cause?: ErrorLine;
}

function errorLine(error: unknown): ErrorLine | unknown {
  if (!(error instanceof Error)) return error;
  const { code } = error as { code?: unknown };
  return {
    type: error.constructor.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(error.cause instanceof Error ? { cause: errorLine(error.cause) } : {}),
  };
}
