import { Type } from 'typebox';
import { emptyIsAbsent } from '../endpoint.ts';
import { limits, patterns } from '../limits.ts';
import { moment } from '../shapes/text.ts';

export const exactFilter = (what: string) => Type.Optional(Type.String({ description: `Exact ${what}.` }));
/** Like `exactFilter`, but an empty value, as sent by forms and templates, counts as absent (reading 1.3). */
export const exactFilterOrEmpty = (what: string) =>
  Type.Optional(Type.String({ description: `Exact ${what}; an empty value counts as absent.`, [emptyIsAbsent]: true }));
/** Globs of names; the parameter can be repeated (questions.md 2.1). */
export const globs = (what: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: limits.globLength, pattern: patterns.glob }), {
      maxItems: limits.globs,
      description: `Only ${what} that match a glob with their full name; repeat it for alternatives. \`*\` matches any characters, \`?\` matches one, \`\\\` escapes the next one; case-sensitive.`,
    }),
  );
/** Teams of the catalog; the parameter can be repeated (questions.md 11.3). */
export const teams = Type.Optional(
  Type.Array(Type.String(), {
    maxItems: limits.teams,
    description:
      'Also the services of these teams in the catalog; exact names, repeat it for several. A team that is not in the catalog is refused.',
  }),
);
export const opaqueCursor = Type.Optional(
  Type.String({ minLength: 1, maxLength: limits.pageCursor, description: '`next_cursor` of the previous page.' }),
);
export const pastMoment = Type.Optional(
  moment({ description: 'Only rows with `happened_at` at or before this moment; all rows if it is in the future.' }),
);
export const eventId = Type.Object({ id: Type.String({ description: 'A UUID; anything else is 404.' }) });
export const lastEventId = Type.Optional(
  Type.String({
    description:
      "Id of the last frame received; the nil UUID means from the beginning. Anything that isn't a UUID is ignored, and the stream starts live.",
  }),
);
export const ifNoneMatch = Type.Object({
  'If-None-Match': Type.Optional(Type.String({ description: '`ETag` of a previous answer.' })),
});
export const unauthorized = { 401: ['unauthorized'] } as const;
export const invalid = { 422: ['validation'] } as const;
export const unavailable = { 503: ['unavailable'] } as const;
/** The problem of slow reads, which are rate-limited per client. */
export const tooMany = { 429: ['too-many-requests'] } as const;
/** The specification reserves this status, but no problem kind uses it (§8 Limits). */
export const reserved = [] as const;
export const tooLarge = { 413: ['payload-too-large'] } as const;

/** The response to a request that sends the current `ETag`. */
export const unchanged = { description: 'Unchanged since `If-None-Match`.', headers: ['ETag'] } as const;
export const streamReply = { 200: { description: 'An event stream.', headers: ['X-Stream-Resume'] } } as const;
