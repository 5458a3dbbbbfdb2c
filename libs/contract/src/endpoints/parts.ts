import { Type } from 'typebox';
import { emptyIsAbsent } from '../endpoint.ts';
import { limits, patterns } from '../limits.ts';
import { moment } from '../shapes/text.ts';

const exactly = (what: string) => `The exact ${what}.`;
export const exactFilter = (what: string) => Type.Optional(Type.String({ description: exactly(what) }));
/** Like `exactFilter`, but an empty value, as sent by forms and templates, counts as absent (reading 1.3). */
export const exactFilterOrEmpty = (what: string, effect?: string) =>
  Type.Optional(
    Type.String({
      description: [exactly(what), effect, 'An empty value counts as absent.'].filter(Boolean).join(' '),
      [emptyIsAbsent]: true,
    }),
  );
/** Globs of names; the parameter can be repeated (questions.md 2.1). */
export const globs = (what: string, more?: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: limits.globLength, pattern: patterns.glob }), {
      maxItems: limits.globs,
      description: [
        `A glob. Returns only ${what} whose full name matches it. Repeat the parameter for several globs. \`*\` matches any characters, \`?\` matches one, and \`\\\` escapes the next one. Globs are case-sensitive.`,
        more,
      ]
        .filter(Boolean)
        .join(' '),
    }),
  );
/** Teams of the catalog; the parameter can be repeated (questions.md 11.3). */
export const teams = Type.Optional(
  Type.Array(Type.String(), {
    maxItems: limits.teams,
    description:
      'The exact name of a team. Also returns the services that the catalog lists for this team. Repeat the parameter for several teams. A team that is not in the catalog is refused.',
  }),
);
export const opaqueCursor = Type.Optional(
  Type.String({ minLength: 1, maxLength: limits.pageCursor, description: '`next_cursor` of the previous page.' }),
);
export const pastMoment = Type.Optional(
  moment({
    description:
      'Uses only rows with `happened_at` at or before this moment. A moment in the future includes all rows.',
  }),
);
export const eventId = Type.Object({ id: Type.String({ description: 'A UUID. Any other value returns 404.' }) });
export const lastEventId = Type.Optional(
  Type.String({
    description:
      "The id of the last frame received. The nil UUID means from the beginning. A value that isn't a UUID is ignored, and the stream starts live.",
  }),
);
export const ifNoneMatch = Type.Object({
  'If-None-Match': Type.Optional(Type.String({ description: 'The `ETag` of a previous response.' })),
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
export const unchanged = { description: 'The content still matches `If-None-Match`.', headers: ['ETag'] } as const;
export const streamReply = { 200: { description: 'An event stream.', headers: ['X-Stream-Resume'] } } as const;

/** An optional period; `from` and `to` are sent together. */
export const periodRange = {
  from: Type.Optional(moment({ description: 'Start of the period (inclusive). Requires `to`.' })),
  to: Type.Optional(
    moment({ description: `End of the period (exclusive), at most ${limits.periodDaysMax} days after \`from\`.` }),
  ),
};
