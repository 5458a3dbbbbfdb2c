import { Type } from 'typebox';
import { type Endpoint, emptyIsAbsent } from '../endpoint.ts';
import { limits } from '../limits.ts';
import { EnvironmentsDiff } from '../shapes/environments-diff.ts';
import { ReleaseDetail, ReleasePage } from '../shapes/releases.ts';
import { PageLimit } from '../shapes/text.ts';
import {
  exactFilterOrEmpty,
  globs,
  ifNoneMatch,
  invalid,
  opaqueCursor,
  pastMoment,
  teams,
  tooMany,
  unavailable,
  unchanged,
} from './parts.ts';

const environment = (description: string) => Type.String({ description, [emptyIsAbsent]: true });

/** Releases, and the comparison of two environments (questions.md 8 and 9). */
export const releaseEndpoints = {
  listReleases: {
    method: 'GET',
    path: '/api/releases',
    tag: 'read',
    summary: 'List releases',
    description:
      'Lists the release with the newest row first. A release is a version of a service, or a sha if the rows have no version.',
    query: Type.Object({
      service: exactFilterOrEmpty('service'),
      q: Type.Optional(
        Type.String({
          minLength: limits.releaseQueryMin,
          maxLength: limits.releaseQueryMax,
          description:
            'Matches releases with a version that contains this text (ignoring ASCII case), or with a sha that starts with it (at least four hex digits).',
        }),
      ),
      cursor: opaqueCursor,
      limit: Type.Optional(PageLimit),
    }),
    headers: ifNoneMatch,
    replies: { 200: { description: 'One page.', body: ReleasePage, headers: ['ETag'] }, 304: unchanged },
    problems: { ...invalid, ...tooMany, ...unavailable },
  },
  getRelease: {
    method: 'GET',
    path: '/api/releases/{service}/{version}',
    tag: 'read',
    summary: 'Look up one release',
    params: Type.Object({
      service: Type.String({ description: 'The service, percent-encoded.', examples: ['payments-api'] }),
      version: Type.String({
        description: 'The version, percent-encoded. For a release without a version, use its full sha.',
        examples: ['1.4.2'],
      }),
    }),
    headers: ifNoneMatch,
    replies: { 200: { description: 'The release.', body: ReleaseDetail, headers: ['ETag'] }, 304: unchanged },
    problems: { 404: ['not-found'], ...tooMany, ...unavailable },
  },
  diffEnvironments: {
    method: 'GET',
    path: '/api/environments/diff',
    tag: 'read',
    summary: 'Compare two environments or stages',
    description:
      'Compares the latest successful release of each service in two environments. If both releases have succeeded in both environments, the one with the later first success is ahead. A side can also be a stage of the promotion order, written as `stage:` and its name. With a stage, the release with the later first success on either side is ahead.',
    query: Type.Object({
      from: environment('The exact name of one environment, or `stage:<name>`. An unknown stage returns 422.'),
      to: environment('The exact name of the other environment, or `stage:<name>`.'),
      services: globs('services'),
      teams,
      at: pastMoment,
    }),
    headers: ifNoneMatch,
    replies: { 200: { description: 'The difference.', body: EnvironmentsDiff, headers: ['ETag'] }, 304: unchanged },
    problems: { ...invalid, ...tooMany, ...unavailable },
  },
} as const satisfies Record<string, Endpoint>;
