import type { Endpoint } from '../endpoint.ts';
import { Catalog } from '../shapes/catalog.ts';
import { ifNoneMatch, unavailable, unchanged } from './parts.ts';

/** What the log does not know about services (questions.md 11). */
export const catalogEndpoints = {
  getCatalog: {
    method: 'GET',
    path: '/api/catalog',
    tag: 'read',
    summary: 'Teams, owners and links of all services',
    description:
      'What the `CATALOG_FILE` says about every service in the log, and the presets for the board. Without a file, all entries are empty.',
    headers: ifNoneMatch,
    replies: {
      200: { description: 'The catalog.', body: Catalog, headers: ['ETag'] },
      304: unchanged,
    },
    problems: { ...unavailable },
  },
} as const satisfies Record<string, Endpoint>;
