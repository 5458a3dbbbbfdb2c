import { type DestinationStream, type Logger, pino } from 'pino';

/**
 * The log of a program: JSON lines. Of an error it takes what tells a person what happened, and nothing else: errors of
 * libraries carry whole clients and sockets along, with what those know.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, serializers: { err: errorLine } };
  return destination ? pino(options, destination) : pino(options);
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
