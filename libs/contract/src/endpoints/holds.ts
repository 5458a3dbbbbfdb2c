import { Type } from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import {
  BreachPage,
  ExceptionRequest,
  Hold,
  HoldKindShape,
  HoldPage,
  HoldRequest,
  ReleaseRequest,
} from '../shapes/holds.ts';
import { moment, PageLimit } from '../shapes/text.ts';
import {
  exactFilterOrEmpty,
  globs,
  ifNoneMatch,
  invalid,
  opaqueCursor,
  periodRange,
  teams,
  tooLarge,
  unauthorized,
  unavailable,
  unchanged,
} from './parts.ts';

const holdId = Type.Object({ id: Type.String({ description: 'A UUID. Any other value returns 404.' }) });
const scope = { services: globs('holds of services'), environments: globs('holds of environments'), teams };
const kind = Type.Optional(Type.Array(HoldKindShape, { description: 'Repeat the parameter for several kinds.' }));
const page = { cursor: opaqueCursor, limit: Type.Optional(PageLimit) };
const refusals = { ...unauthorized, 403: ['forbidden'], ...tooLarge, ...invalid, ...unavailable } as const;

/** Freezes, locks and bad versions (holds.md). */
export const holdEndpoints = {
  makeHold: {
    method: 'POST',
    path: '/api/holds',
    tag: 'holds',
    summary: 'Hold deployments back, or mark a version as bad',
    description:
      'A hold never refuses an event. It is visible everywhere, and deployments that begin despite it are marked.',
    key: 'api',
    person: true,
    body: HoldRequest,
    replies: { 201: { description: 'The hold.', body: Hold, headers: ['Location'] } },
    problems: refusals,
  },
  releaseHold: {
    method: 'POST',
    path: '/api/holds/{id}/release',
    tag: 'holds',
    summary: 'End a hold',
    key: 'api',
    person: true,
    params: holdId,
    body: ReleaseRequest,
    bodyOptional: true,
    replies: { 200: { description: 'The hold.', body: Hold } },
    problems: { ...refusals, 404: ['not-found'], 409: ['hold-over'] },
  },
  exceptHold: {
    method: 'POST',
    path: '/api/holds/{id}/exceptions',
    tag: 'holds',
    summary: 'Add an exception to a hold',
    key: 'api',
    person: true,
    params: holdId,
    body: ExceptionRequest,
    replies: { 201: { description: 'The hold.', body: Hold, headers: ['Location'] } },
    problems: { ...refusals, 404: ['not-found'], 409: ['hold-over'] },
  },
  listHolds: {
    method: 'GET',
    path: '/api/holds',
    tag: 'holds',
    summary: 'List holds',
    description: 'Lists the holds that are in force at `at`, or that overlap the period from `from` to `to`.',
    query: Type.Object({
      at: Type.Optional(moment({ description: 'The moment. Defaults to now.' })),
      ...periodRange,
      upcoming: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 720,
          description: 'Also returns holds that begin within this many hours.',
        }),
      ),
      ...scope,
      kind,
      source: exactFilterOrEmpty('source'),
      ...page,
    }),
    headers: ifNoneMatch,
    replies: { 200: { description: 'One page.', body: HoldPage, headers: ['ETag'] }, 304: unchanged },
    problems: { ...invalid, ...unavailable },
  },
  listBreaches: {
    method: 'GET',
    path: '/api/holds/breaches',
    tag: 'holds',
    summary: 'List deployments that began during a hold',
    description: 'Lists the newest first; by default, those of the last 30 days.',
    query: Type.Object({ ...periodRange, ...scope, ...page }),
    headers: ifNoneMatch,
    replies: { 200: { description: 'One page.', body: BreachPage, headers: ['ETag'] }, 304: unchanged },
    problems: { ...invalid, ...unavailable },
  },
  getHoldsCalendar: {
    method: 'GET',
    path: '/api/holds.ics',
    tag: 'holds',
    summary: 'Subscribe to holds in a calendar',
    description: 'The holds of the last 30 days and all future holds, as iCalendar (RFC 5545).',
    query: Type.Object({ ...scope, kind }),
    headers: ifNoneMatch,
    replies: {
      200: { description: 'The calendar.', body: Type.String(), mediaType: 'text/calendar', headers: ['ETag'] },
      304: unchanged,
    },
    problems: { ...invalid, ...unavailable },
  },
  getHold: {
    method: 'GET',
    path: '/api/holds/{id}',
    tag: 'holds',
    summary: 'Look up one hold',
    params: holdId,
    headers: ifNoneMatch,
    replies: { 200: { description: 'The hold.', body: Hold, headers: ['ETag'] }, 304: unchanged },
    problems: { 404: ['not-found'], ...unavailable },
  },
} as const satisfies Record<string, Endpoint>;
