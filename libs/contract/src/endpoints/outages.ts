import { Type } from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { OutageDetails, OutagePage, OutageRequest, OutageRow } from '../shapes/outages.ts';
import { PageLimit } from '../shapes/text.ts';
import {
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

/** Outages and the deployments that caused them (outages.md). */
export const outageEndpoints = {
  appendOutage: {
    method: 'POST',
    path: '/api/outages',
    tag: 'outages',
    summary: 'Append a row about an outage',
    description:
      'An outage is the combination of its rows: each member comes from the latest row that has it. Rows may arrive late and in any order; nothing is deduplicated.',
    key: 'api',
    person: true,
    body: OutageRequest,
    replies: { 201: { description: 'The row as stored.', body: OutageRow, headers: ['Location'] } },
    problems: {
      ...unauthorized,
      403: ['forbidden'],
      ...tooLarge,
      ...invalid,
      503: ['reset-in-progress', 'unavailable'],
    },
  },
  listOutages: {
    method: 'GET',
    path: '/api/outages',
    tag: 'outages',
    summary: 'List outages',
    description: 'Lists the newest first. With `from` and `to`, lists those that were open during the period.',
    query: Type.Object({
      ...periodRange,
      open: Type.Optional(Type.Enum(['true'], { description: 'Returns only open outages.' })),
      services: globs('outages of services'),
      environments: globs('outages of environments'),
      teams,
      cursor: opaqueCursor,
      limit: Type.Optional(PageLimit),
    }),
    headers: ifNoneMatch,
    replies: { 200: { description: 'One page.', body: OutagePage, headers: ['ETag'] }, 304: unchanged },
    problems: { ...invalid, ...unavailable },
  },
  getOutage: {
    method: 'GET',
    path: '/api/outages/{source}/{outage_id}',
    tag: 'outages',
    summary: 'Look up one outage with its rows',
    params: Type.Object({
      source: Type.String({ examples: ['pagerduty'] }),
      outage_id: Type.String({ description: 'Percent-encoded.', examples: ['PT4KHLK'] }),
    }),
    headers: ifNoneMatch,
    replies: { 200: { description: 'The outage.', body: OutageDetails, headers: ['ETag'] }, 304: unchanged },
    problems: { 404: ['not-found'], ...unavailable },
  },
} as const satisfies Record<string, Endpoint>;
