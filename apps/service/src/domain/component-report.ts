import type { ComponentEvent } from '@shiplog/contract';

/** A component report to be stored: its columns, and the JSON around the members that the database adds. */
export interface ComponentReport {
  readonly componentId: string;
  readonly correlationId: string | null;
  readonly eventType: string;
  readonly state: string;
  /** The members of the record's JSON between `id` and `received_at`. */
  readonly jsonHead: string;
  /** The members after `received_at`, with the closing brace. */
  readonly jsonRest: string;
}

/**
 * @param payload the payload's text as sent (reading 7.1). `detail` and `payload` are stored only if they were sent
 * (7.2).
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

/** What the service reports about itself. */
export function ownReport(
  {
    componentId,
    eventType,
    state,
  }: { readonly componentId: string; readonly eventType: string; readonly state: 'running' },
  occurredAt: string,
  payload: object,
): ComponentReport {
  const event = { event_type: eventType, state, occurred_at: occurredAt };
  return componentReport(event, { componentId, correlationId: undefined }, JSON.stringify(payload));
}
