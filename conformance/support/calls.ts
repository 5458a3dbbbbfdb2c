import type { WireRequest } from '@shiplog/testing';
import { type Api, freshEvent } from './api.ts';
import { aReport } from './control.ts';
import { keyHeaders, requiredFields } from './specification.ts';
import type { TargetKeys } from './target.ts';

/** One call of the API. Tests use it for rules that apply to all calls of a kind. */
export interface Call {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** The key that the call requires. */
  readonly key?: keyof TargetKeys;
  /** The required headers besides the key. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call whose body must not have unknown members. */
export interface BodiedCall extends Call {
  readonly key: 'api';
  /** A valid body. */
  readonly body: () => object;
  readonly required: readonly string[];
  /** The response to a valid body. */
  readonly success: 201 | 204;
}

export const bodiedCalls: readonly BodiedCall[] = [
  {
    name: 'POST /api/deployments',
    method: 'POST',
    path: '/api/deployments',
    key: 'api',
    body: freshEvent,
    required: requiredFields,
    success: 201,
  },
  {
    name: 'POST /api/control/events',
    method: 'POST',
    path: '/api/control/events',
    key: 'api',
    headers: { 'X-Component-Id': 'caller' },
    body: () => aReport(),
    required: ['event_type', 'state', 'occurred_at'],
    success: 204,
  },
  {
    name: 'PUT /api/fetcher/state/{adapter}',
    method: 'PUT',
    path: '/api/fetcher/state/caller',
    key: 'api',
    body: () => ({ cursor: 'x' }),
    required: ['cursor'],
    success: 204,
  },
];

/** The three streams (§6). */
export const streamCalls: readonly Call[] = [
  { name: 'the deployment stream', method: 'GET', path: '/api/events/stream' },
  { name: 'the control stream', method: 'GET', path: '/api/control/stream', key: 'control' },
  { name: 'the component stream', method: 'GET', path: '/api/control/events/stream' },
];

export const resetCall: Call = {
  name: 'POST /api/control/reset',
  method: 'POST',
  path: '/api/control/reset',
  key: 'control',
};

/** §5: every call that requires a key. */
export const keyedCalls: readonly Call[] = [
  ...bodiedCalls,
  {
    name: 'GET /api/fetcher/state/{adapter}',
    method: 'GET',
    path: '/api/fetcher/state/caller',
    key: 'api',
  },
  resetCall,
  ...streamCalls.filter((call) => call.key),
];

/** The calls that the target serves, with their names, as rows for `test.each`. */
export function named<C extends Call>(api: Api, calls: readonly C[]): readonly (readonly [string, C])[] {
  return calls.filter(api.serves).map((call) => [call.name, call] as const);
}

/** The headers of a call with its key. */
export function headersOf(call: Call, keys: TargetKeys): Record<string, string> {
  return { ...call.headers, ...(call.key && { [keyHeaders[call.key]]: keys[call.key] }) };
}

/** The request for a call, with its key and with the body if it has one. The default is a valid body. */
export function requestOf(call: Call | BodiedCall, keys: TargetKeys, body?: WireRequest['body']): WireRequest {
  const sent = body ?? ('body' in call ? JSON.stringify(call.body()) : undefined);
  return {
    method: call.method,
    path: call.path,
    headers: headersOf(call, keys),
    ...(sent === undefined ? {} : { body: sent }),
  };
}
