import type { Endpoint } from '../endpoint.ts';
import { Catalog } from '../shapes/catalog.ts';
import { ifNoneMatch, unavailable } from './parts.ts';

/** What the log cannot know (questions.md 11). */
export const catalogEndpoints = {
  getCatalog: {
    method: 'GET',
    path: '/api/catalog',
    tag: 'read',
    summary: 'Whose each service is, and where its things are',
    description:
      'What the file of `CATALOG_FILE` says of every service of the log, and the presets for the board. Without a file nothing is known of any service.',
    headers: ifNoneMatch,
    replies: {
      200: { description: 'The catalog.', body: Catalog, headers: ['ETag'] },
      304: { description: 'Unchanged since `If-None-Match`.', headers: ['ETag'] },
    },
    problems: { ...unavailable },
  },
} as const satisfies Record<string, Endpoint>;
