import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { collapseRepeats } from './repeats.ts';

/**
 * The log of a program: JSON lines, on standard output by default; what repeats is told once a minute. Of an error it
 * takes what tells a person what happened, and nothing else: errors of libraries carry whole clients and sockets along,
 * with what those know.
 */
export function createLogger(level: string, destination: DestinationStream = standardOutput()): Logger {
  const hooks: LoggerOptions['hooks'] = { logMethod: collapseRepeats(() => logger) };
  const logger: Logger = pino({ level, serializers: { err: errorLine }, hooks }, destination);
  return logger;
}

/**
 * Written at once, not in the background: a program that ends has said its last words. The background writer of pino
 * tries for ever to write them where the reader of a pipe is gone, and the program would not end at all.
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
