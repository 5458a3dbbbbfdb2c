import { type Static, Type } from 'typebox';
import { DeploymentEvent } from './deployment.ts';
import { dateTime, nullable } from './text.ts';

const members = {
  service: Type.String(),
  version: nullable(
    Type.String({ description: 'Null if the rows have no version; then `sha` identifies the release.' }),
  ),
  sha: nullable(Type.String({ description: 'From its newest row that has one; the same for `ref` and `actor`.' })),
  ref: nullable(Type.String()),
  actor: nullable(Type.String()),
  first_at: dateTime({ description: '`happened_at` of its first row.' }),
  last_at: dateTime({ description: '`happened_at` of its latest row.' }),
  runs_in: Type.Array(Type.String(), {
    description: 'Environments where it is the last success, sorted by code point.',
  }),
  places: Type.Record(
    Type.String(),
    Type.Object({
      event: DeploymentEvent,
      since: nullable(dateTime({ description: 'When it started to run there; null if it does not run there.' })),
      until: nullable(
        dateTime({
          description: 'When the next success replaced it there; null while it runs, or if it never succeeded there.',
        }),
      ),
    }),
    { description: 'By environment: its latest event there with the status in-progress, success or failure.' },
  ),
};

/** A (service, version), or a (service, sha) if rows have no version (questions.md 9). */
export const Release = Type.Object(members);
export type Release = Static<typeof Release>;

export const ReplacedRelease = Type.Object({ version: nullable(Type.String()), sha: nullable(Type.String()) });

/** One release with its rows (questions.md 9.3). */
export const ReleaseDetail = Type.Object({
  ...members,
  events: Type.Array(DeploymentEvent, { description: 'All its rows, newest first, at most 500.' }),
  replaced: Type.Record(Type.String(), nullable(ReplacedRelease), {
    description:
      'By environment in `places`: the release that it replaced there, or null if there was none or it has neither version nor sha.',
  }),
});
export type ReleaseDetail = Static<typeof ReleaseDetail>;

export const ReleasePage = Type.Object({
  items: Type.Array(Release),
  next_cursor: nullable(Type.String({ description: 'Opaque position of the next page; null on the final page.' })),
});
export type ReleasePage = Static<typeof ReleasePage>;
