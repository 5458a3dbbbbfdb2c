import { call, type Fields } from '@shiplog/panels/ui/api.ts';

/** What the driver's cards need from the page. */
export interface Driver {
  /** Whether a reset is in progress, so that nothing else may be posted. */
  readonly isBlocked: boolean;
  /** Requests the driver's status. */
  refresh(): void;
  /** Posts a request and returns the response. If there is none, `onProblem` gets a sentence for the user. */
  post(path: string, onProblem: (sentence: string) => void, body?: object): Promise<Fields | undefined>;
}

/** How long the driver waits for the end of a reset by default (companion services §8). */
const defaultGateMs = 90_000;

/** The latest time at which the controls come back, in milliseconds since 1970; 0 while nothing is blocked. */
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
