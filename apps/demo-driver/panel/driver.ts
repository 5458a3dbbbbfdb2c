import { call, type Fields } from '@shiplog/panels/ui/api.ts';

/** What the driver's cards need of the page. */
export interface Driver {
  /** Whether a reset is under way, so that nothing else may be posted. */
  readonly isBlocked: boolean;
  /** Requests the driver's status. */
  refresh(): void;
  /** Posts. The answer where there was one; else `onProblem` gets a sentence for people. */
  post(path: string, onProblem: (sentence: string) => void, body?: object): Promise<Fields | undefined>;
}

/** How long the driver waits for the end of a reset by default (companion services §8). */
const defaultGateMs = 90_000;

/** When the controls come back at the latest, in milliseconds since 1970; 0 while nothing is blocked. */
export const gate = { untilMs: 0 };

export function gateLasts(ms = defaultGateMs): void {
  gate.untilMs = Date.now() + ms;
}

export async function post(path: string, onProblem: (sentence: string) => void, body?: object) {
  const reply = await call(path, { method: 'POST', body });
  if (reply.retryAfter) gateLasts(reply.retryAfter * 1000);
  onProblem(reply.ok ? '' : reply.message);
  return reply.ok ? reply.value : undefined;
}
