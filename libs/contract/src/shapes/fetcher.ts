import { type Static, Type } from 'typebox';
import { limits, patterns } from '../limits.ts';
import { dateTime } from './text.ts';

/** §2 FetcherStateUpsert. A cursor of more than 8 KiB is 413, so the schema has no length rule. */
export const FetcherStateUpsert = Type.Object(
  {
    cursor: Type.String({
      pattern: patterns.storableText,
      description: `An opaque text of at most ${limits.cursorBytes} UTF-8 bytes. It may be empty.`,
      examples: ['{"page":7}'],
    }),
  },
  { additionalProperties: false },
);

/** Reading 8.1. */
export const FetcherState = Type.Object({
  adapter: Type.String({ examples: ['github-actions'] }),
  cursor: Type.String({ examples: ['{"page":7}'] }),
  updated_at: dateTime(),
});
export type FetcherState = Static<typeof FetcherState>;
