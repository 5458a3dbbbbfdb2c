import { Type } from 'typebox';
import { type Endpoint, emptyIsAbsent } from '../endpoint.ts';
import { ifNoneMatch, invalid, unavailable, unchanged } from './parts.ts';

const svg = 'image/svg+xml';

/** Images for other pages. */
export const badgeEndpoints = {
  getBadge: {
    method: 'GET',
    path: '/badges/{service}/{environment}.svg',
    tag: 'read',
    summary: 'Badge with the version and status of a service in an environment',
    description:
      'Returns an image for a README. It always returns 200, so that no page shows a broken image: for a slot without events, the badge says "not deployed".',
    params: Type.Object({
      service: Type.String({ description: 'The service, percent-encoded.', examples: ['payments-api'] }),
      environment: Type.String({ description: 'The environment, percent-encoded.', examples: ['prod'] }),
    }),
    query: Type.Object({
      label: Type.Optional(
        Type.String({
          description: 'The text on the left. Defaults to the environment if absent or empty.',
          [emptyIsAbsent]: true,
        }),
      ),
    }),
    headers: ifNoneMatch,
    replies: {
      200: { description: 'The badge.', body: Type.String(), mediaType: svg, headers: ['ETag'] },
      304: unchanged,
    },
    problems: { ...invalid, ...unavailable },
  },
} as const satisfies Record<string, Endpoint>;
