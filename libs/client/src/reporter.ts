import { type ComponentEvent, type ComponentState, headerNames, type RateLimit } from '@shiplog/contract';
import { createClient } from './client.ts';

export interface ReporterOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The id of the component. The service counts acks by this id. */
  readonly componentId: string;
  /** The timeout of a report. The default is 3 s, because a hanging report must not delay a reset. */
  readonly timeoutMs?: number;
  readonly now?: () => Date;
}

export interface ReportExtras {
  readonly detail?: string;
  /** At most 8 KiB of JSON, stored unchanged. */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** The reset that the report belongs to: the id of its `reset-initiated` frame. */
  readonly correlationId?: string;
}

/** The reports of a component (§2 ComponentEvent). Each call rejects in the same cases as the calls of `createClient`. */
export interface Reporter {
  /** Reports a change of state. Also call this right after a reset, with the id of the reset. */
  status(state: ComponentState, extras?: ReportExtras): Promise<void>;
  /** Call this at most every 30 seconds while nothing changes. */
  heartbeat(state: ComponentState, extras?: ReportExtras): Promise<void>;
  error(detail: string, extras?: ReportExtras): Promise<void>;
  /** A fetcher calls this once per poll cycle, with `paused` during a reset and `running` otherwise. */
  rateLimit(state: 'running' | 'paused', limit: RateLimit, extras?: ReportExtras): Promise<void>;
  /** Call this during a reset, once the component has stopped all its work. */
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
      ...(detail !== undefined && { detail }),
      ...(payload !== undefined && { payload }),
    };
    const correlated = correlationId !== undefined && { [headerNames.correlationId]: correlationId };
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
