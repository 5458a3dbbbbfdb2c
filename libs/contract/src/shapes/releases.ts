import { type Static, Type } from 'typebox';
import { DeploymentEvent } from './deployment.ts';
import { dateTime, nullable } from './text.ts';

const members = {
  service: Type.String(),
  version: nullable(
    Type.String({ description: 'Null if the rows have no version. In that case, `sha` identifies the release.' }),
  ),
  sha: nullable(
    Type.String({
      description: 'The sha of the newest row that has one. `ref` and `actor` are chosen in the same way.',
    }),
  ),
  ref: nullable(Type.String()),
  actor: nullable(Type.String()),
  first_at: dateTime({ description: 'The `happened_at` of its first row.' }),
  last_at: dateTime({ description: 'The `happened_at` of its latest row.' }),
  runs_in: Type.Array(Type.String(), {
    description: 'The environments where it is the last success, sorted by code point.',
  }),
  places: Type.Record(
    Type.String(),
    Type.Object({
      event: DeploymentEvent,
      since: nullable(dateTime({ description: 'When it started to run there; null if it does not run there.' })),
      until: nullable(
        dateTime({
          description:
            'When the next success replaced it there; null while it runs there, or if it never succeeded there.',
        }),
      ),
    }),
    { description: 'By environment, its latest event there with the status in-progress, success or failure.' },
  ),
};

/** A (service, version), or a (service, sha) if rows have no version (questions.md 9). */
export const Release = Type.Object(members);
export type Release = Static<typeof Release>;

export const ReplacedRelease = Type.Object({ version: nullable(Type.String()), sha: nullable(Type.String()) });

/** One release with its rows (questions.md 9.3). */
export const ReleaseDetail = Type.Object({
  ...members,
  events: Type.Array(DeploymentEvent, { description: 'The newest 500 rows of the release, newest first.' }),
  replaced: Type.Record(Type.String(), nullable(ReplacedRelease), {
    description:
      'For each environment in `places`, the release that this release replaced. Null if there was no earlier release, or if it has neither a version nor a sha.',
  }),
});
export type ReleaseDetail = Static<typeof ReleaseDetail>;

export const ReleasePage = Type.Object({
  items: Type.Array(Release),
  next_cursor: nullable(Type.String({ description: 'An opaque cursor for the next page. Null on the last page.' })),
});
export type ReleasePage = Static<typeof ReleasePage>;
