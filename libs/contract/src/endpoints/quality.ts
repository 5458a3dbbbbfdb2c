import { Type } from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { type FindingKind, findingKinds, QualityReport } from '../shapes/quality.ts';
import { PageLimit } from '../shapes/text.ts';
import { globs, ifNoneMatch, invalid, opaqueCursor, teams, tooMany, unavailable, unchanged } from './parts.ts';

const kindFilter = (kinds: readonly FindingKind[]) =>
  Type.Optional(
    Type.Array(Type.Enum([...kinds]), {
      description: 'Returns only findings of this kind. Repeat the parameter for several kinds.',
    }),
  );

/** The endpoint of a service that knows these kinds of findings. */
export function qualityOf(kinds: readonly FindingKind[]) {
  const { getQuality } = qualityEndpoints;
  const query = Type.Object({ ...getQuality.query.properties, kind: kindFilter(kinds) });
  return { ...getQuality, query };
}

/** Data quality (questions.md 10). */
export const qualityEndpoints = {
  getQuality: {
    method: 'GET',
    path: '/api/quality',
    tag: 'analytics',
    summary: 'List reporters and data quality findings',
    query: Type.Object({
      services: globs('services'),
      teams,
      environments: globs('environments'),
      kind: kindFilter(findingKinds),
      counts: Type.Optional(
        Type.Enum(['all', 'asked'], {
          default: 'all',
          description:
            '`asked` searches only for the kinds in `kind`, which is cheaper. The `counts` in the response then contain only those kinds.',
        }),
      ),
      cursor: opaqueCursor,
      limit: Type.Optional(PageLimit),
    }),
    headers: ifNoneMatch,
    replies: {
      200: { description: 'The reporters, and one page of findings.', body: QualityReport, headers: ['ETag'] },
      304: unchanged,
    },
    problems: { ...invalid, ...tooMany, ...unavailable },
  },
} as const satisfies Record<string, Endpoint>;
