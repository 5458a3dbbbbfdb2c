import type { Logger } from 'pino';

/** Logs the outages of a stream: each reason once per outage, however many attempts fail, and then the recovery. */
export function outagesOf(stream: string, logger: Logger) {
  const logged = new Set<string>();
  return {
    onOpen: (): void => {
      if (logged.size > 0) logger.info(`the ${stream} is up again`);
      logged.clear();
    },
    onDown: (reason: string, retryMs: number): void => {
      if (!logged.has(reason)) logger.warn({ reason, retryMs }, `the ${stream} is down; reconnecting`);
      logged.add(reason);
    },
  };
}
