import { type ComponentEvent, type ComponentState, headerNames, type RateLimit } from '@shiplog/contract';
import { createClient } from './client.ts';

export interface ReporterOptions {
  /** Where the service listens. */
  readonly baseUrl: string;
  /** The key that pipelines send as well. */
  readonly apiKey: string;
  /** Who reports; acks are counted by it. */
  readonly componentId: string;
  /** How long one report may take, 3 s by default: a report that hangs must not hold up a reset. */
  readonly timeoutMs?: number;
  readonly now?: () => Date;
}

export interface ReportExtras {
  /** For people. */
  readonly detail?: string;
  /** Kept to the letter, at most 8 KiB of JSON. */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** The reset that this has to do with: the id of its `reset-initiated` frame. */
  readonly correlationId?: string;
}

/** What a component says of itself (§2 ComponentEvent). Each call rejects as the calls of `createClient` do. */
export interface Reporter {
  /** On every transition that matters, and right after a reset with its id. */
  status(state: ComponentState, extras?: ReportExtras): Promise<void>;
  /** At most every 30 seconds while nothing changes. */
  heartbeat(state: ComponentState, extras?: ReportExtras): Promise<void>;
  error(detail: string, extras?: ReportExtras): Promise<void>;
  /** Once per poll cycle of a fetcher; `paused` during a reset, else `running`. */
  rateLimit(state: 'running' | 'paused', limit: RateLimit, extras?: ReportExtras): Promise<void>;
  /** The component has stopped its work for the reset with this id; sent once nothing is under way. */
  ack(resetId: string): Promise<void>;
}

export function createReporter(options: ReporterOptions): Reporter {
  const { baseUrl, apiKey, componentId, timeoutMs = 3000, now = () => new Date() } = options;
  const client = createClient({ baseUrl, keys: { api: apiKey }, timeoutMs });
  const report = async (type: string, state: ComponentState, extras: ReportExtras = {}) => {
    const { detail, payload, correlationId } = extras;
    const body: ComponentEvent = {
      event_type: type,
      state,
      occurred_at: now().toISOString(),
      ...(detail === undefined ? {} : { detail }),
      ...(payload === undefined ? {} : { payload }),
    };
    const correlated = correlationId === undefined ? {} : { [headerNames.correlationId]: correlationId };
    await client.reportComponentEvent({ headers: { [headerNames.componentId]: componentId, ...correlated }, body });
  };
  return {
    status: (state, extras) => report('status', state, extras),
    heartbeat: (state, extras) => report('heartbeat', state, extras),
    error: (detail, extras) => report('error', 'error', { ...extras, detail }),
    rateLimit: (state, limit, extras) => report('rate-limit', state, { ...extras, payload: limit }),
    ack: (resetId) => report('reset-ack', 'paused', { correlationId: resetId }),
  };
}
