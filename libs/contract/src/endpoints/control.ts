import { Type } from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { limits, patterns } from '../limits.ts';
import {
  ComponentEvent,
  ComponentEventPage,
  FoldComparison,
  RemovalPage,
  RemovalRequest,
  ResetAccepted,
} from '../shapes/control.ts';
import { FetcherState, FetcherStateUpsert } from '../shapes/fetcher.ts';
import { PageLimit, text } from '../shapes/text.ts';
import { streams } from '../streams.ts';
import {
  eventId,
  exactFilter,
  exactFilterOrEmpty,
  invalid,
  lastEventId,
  opaqueCursor,
  streamReply,
  tooLarge,
  unauthorized,
  unavailable,
} from './parts.ts';

const adapter = Type.Object({ adapter: Type.String({ pattern: patterns.adapter, examples: ['github-actions'] }) });

/** Fetcher state, reset and components (§4 Fetcher state, Control). */
export const controlEndpoints = {
  getFetcherState: {
    method: 'GET',
    path: '/api/fetcher/state/{adapter}',
    tag: 'fetcher',
    summary: 'Read the cursor of an adapter',
    key: 'api',
    params: adapter,
    replies: { 200: { description: 'The cursor.', body: FetcherState } },
    problems: { ...unauthorized, 404: ['not-found'], ...invalid, ...unavailable },
  },
  putFetcherState: {
    method: 'PUT',
    path: '/api/fetcher/state/{adapter}',
    tag: 'fetcher',
    summary: 'Store the cursor of an adapter',
    description: 'A later write replaces an earlier one.',
    key: 'api',
    params: adapter,
    body: FetcherStateUpsert,
    replies: { 204: { description: 'Stored.' } },
    problems: { ...unauthorized, ...tooLarge, ...invalid, ...unavailable },
  },
  startReset: {
    method: 'POST',
    path: '/api/control/reset',
    tag: 'control',
    summary: 'Clear the log',
    description:
      'Drains the components, then clears events and fetcher cursors in one transaction. The control stream reports the progress. Use this in test environments only. It is not safe in production.',
    key: 'control',
    replies: { 202: { description: 'The reset was accepted and is draining the components.', body: ResetAccepted } },
    problems: { ...unauthorized, 409: ['reset-in-progress'], ...tooLarge, ...unavailable },
  },
  removeDeployment: {
    method: 'DELETE',
    path: '/api/deployments/{id}',
    tag: 'control',
    summary: 'Remove a false deployment event',
    description:
      'Removes one event and everything derived from it. The list of removals keeps the event, the reason and the time. The component `shiplog` reports the removal in an `event-removed` component event with the payload `{ "id": … }`.',
    key: 'control',
    params: eventId,
    body: RemovalRequest,
    replies: { 204: { description: 'Removed.' } },
    problems: { ...unauthorized, 404: ['not-found'], ...tooLarge, ...invalid, ...unavailable },
  },
  listRemovals: {
    method: 'GET',
    path: '/api/control/removals',
    tag: 'control',
    summary: 'List removed events',
    description: 'Lists the latest removal first.',
    key: 'control',
    query: Type.Object({ cursor: opaqueCursor, limit: Type.Optional(PageLimit) }),
    replies: { 200: { description: 'One page.', body: RemovalPage } },
    problems: { ...unauthorized, ...invalid, ...unavailable },
  },
  compareFolds: {
    method: 'GET',
    path: '/api/control/folds',
    tag: 'control',
    summary: 'Compare the tables behind the figures with the log',
    description:
      'Compares a part of one fold (a table that follows the log) with what plain SQL reads from the log. Changes nothing. Call it without parameters, then with those in `next` until `next` is `null`; `shiplog doctor --deep` does so.',
    key: 'control',
    query: Type.Object({
      fold: Type.Optional(text(1, 63, { description: 'The fold.', examples: ['status_runs'] })),
      after: Type.Optional(text(0, limits.deploymentId, { description: '`after` of the previous `next`.' })),
    }),
    replies: { 200: { description: 'The differences in this part.', body: FoldComparison } },
    problems: { ...unauthorized, ...invalid, ...unavailable },
  },
  streamControl: {
    method: 'GET',
    path: streams.control.path,
    tag: 'control',
    summary: 'Follow the control stream',
    description:
      "Sends Server-Sent Events. Frames of the last 2 hours can be replayed. The client must be able to send headers, which a browser's EventSource can't.",
    key: 'control',
    query: Type.Object({
      component: exactFilterOrEmpty('component', 'Returns only frames for this component and for all components.'),
    }),
    headers: Type.Object({ 'Last-Event-ID': lastEventId }),
    replies: streamReply,
    problems: { ...unauthorized, ...invalid, ...unavailable },
    stream: streams.control,
  },
  reportComponentEvent: {
    method: 'POST',
    path: '/api/control/events',
    tag: 'control',
    summary: 'Report a component event',
    description:
      'A `reset-ack` counts only if `X-Correlation-Id` is the id of the current `reset-initiated` frame; otherwise it is only recorded.',
    key: 'api',
    headers: Type.Object({
      'X-Component-Id': Type.String({ pattern: patterns.componentId, examples: ['demo-driver'] }),
      'X-Correlation-Id': Type.Optional(
        Type.String({ maxLength: limits.correlationId, description: 'Any opaque token. Required for `reset-ack`.' }),
      ),
    }),
    body: ComponentEvent,
    replies: { 204: { description: 'Recorded.' } },
    problems: { ...unauthorized, ...tooLarge, ...invalid, ...unavailable },
  },
  listComponentEvents: {
    method: 'GET',
    path: '/api/control/events',
    tag: 'control',
    summary: 'List the component events of the last 2 hours',
    description: 'Lists the newest event first.',
    query: Type.Object({
      component_id: exactFilter('component id'),
      event_type: exactFilter('event type'),
      correlation_id: exactFilter('correlation id'),
      cursor: opaqueCursor,
      limit: Type.Optional(PageLimit),
    }),
    replies: { 200: { description: 'One page.', body: ComponentEventPage } },
    problems: { ...invalid, ...unavailable },
  },
  streamComponents: {
    method: 'GET',
    path: streams.components.path,
    tag: 'control',
    summary: 'Follow component events',
    description: 'Sends Server-Sent Events. Frames of the last 2 hours can be replayed.',
    headers: Type.Object({ 'Last-Event-ID': lastEventId }),
    replies: streamReply,
    problems: { ...unavailable },
    stream: streams.components,
  },
} as const satisfies Record<string, Endpoint>;
