import type { ComponentEvent } from '@shiplog/contract';

/** A component's report on its way into the log: the columns, and the JSON around what the database makes. */
export interface ComponentReport {
  readonly componentId: string;
  readonly correlationId: string | null;
  readonly eventType: string;
  readonly state: string;
  /** The members of the record's JSON between `id` and `received_at`. */
  readonly jsonHead: string;
  /** What follows `received_at`, with the closing brace. */
  readonly jsonRest: string;
}

/**
 * What is stored of a validated report. `payload` is its text as it was sent (reading 7.1); `correlation_id` is always
 * there, `detail` and `payload` only where they were sent (reading 7.2).
 */
export function componentReport(
  event: ComponentEvent,
  sender: { readonly componentId: string; readonly correlationId: string | undefined },
  payload: string | undefined,
): ComponentReport {
  const correlationId = sender.correlationId ?? null;
  const head = JSON.stringify({
    component_id: sender.componentId,
    correlation_id: correlationId,
    event_type: event.event_type,
    state: event.state,
    detail: event.detail,
    occurred_at: event.occurred_at,
  });
  return {
    componentId: sender.componentId,
    correlationId,
    eventType: event.event_type,
    state: event.state,
    jsonHead: head.slice(1, -1),
    jsonRest: payload === undefined ? '}' : `,"payload":${payload}}`,
  };
}
