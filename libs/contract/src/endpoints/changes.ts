import { Type } from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { limits } from '../limits.ts';
import { ChangesHistogram, ChangesPage } from '../shapes/changes.ts';
import { moment, PageLimit, StatusShape } from '../shapes/text.ts';
import { globs, ifNoneMatch, invalid, opaqueCursor, teams, tooMany, unavailable, unchanged } from './parts.ts';

const question = {
  from: Type.Optional(
    moment({ description: 'Start of the range (inclusive). Requires `to`. Defaults to 24 hours before `to`.' }),
  ),
  to: Type.Optional(
    moment({
      description: `End of the range (exclusive). It must be at most ${limits.periodDaysMax} days after \`from\`. Defaults to the next full minute.`,
    }),
  ),
  services: globs('services'),
  teams,
  environments: globs(
    'environments',
    '`stage:<name>` returns the environments of that stage of the promotion order; an unknown stage returns 422.',
  ),
};

const common = {
  method: 'GET',
  tag: 'read',
  headers: ifNoneMatch,
  problems: { ...invalid, ...tooMany, ...unavailable },
} as const;

/** Deployments in a time range (changes.md). */
export const changesEndpoints = {
  listChanges: {
    ...common,
    path: '/api/changes',
    summary: 'List the deployments in a time range',
    description:
      'A change is a deployment in one place. It extends from its first to its last event, and belongs to every range that it overlaps.',
    query: Type.Object({
      ...question,
      state: Type.Optional(
        Type.Array(StatusShape, {
          description: 'Returns only changes in this state. Repeat the parameter for several states.',
        }),
      ),
      net: Type.Optional(
        Type.Enum(['true', 'false'], {
          default: 'false',
          description: '`true` returns one net change for each place instead of every change.',
        }),
      ),
      cursor: opaqueCursor,
      limit: Type.Optional(PageLimit),
    }),
    replies: { 200: { description: 'One page.', body: ChangesPage, headers: ['ETag'] }, 304: unchanged },
  },
  getChangesHistogram: {
    ...common,
    path: '/api/changes/histogram',
    summary: 'Count the deployments in a time range by state and time',
    query: Type.Object({
      ...question,
      buckets: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: limits.changeBucketsMax,
          default: limits.changeBucketsDefault,
          description: 'The number of equal parts of the range.',
        }),
      ),
    }),
    replies: { 200: { description: 'The counts.', body: ChangesHistogram, headers: ['ETag'] }, 304: unchanged },
  },
} as const satisfies Record<string, Endpoint>;
