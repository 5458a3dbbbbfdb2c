import { CallRefused } from '@shiplog/client';
import { headerNames } from '@shiplog/contract';

const [waitMinMs, waitMaxMs] = [1000, 60_000];

/**
 * When a service that has too much to do, or too much of it for this client, wants to be asked again; `undefined` for what
 * doesn't pass.
 */
export function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof CallRefused) || (error.status !== 503 && error.status !== 429)) return undefined;
  const seconds = Number(error.headers.get(headerNames.retryAfter));
  return Math.min(Math.max(1000 * seconds || waitMinMs, waitMinMs), waitMaxMs);
}
