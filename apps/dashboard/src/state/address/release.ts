import type { AddressPart } from '../address-part.ts';

/** The question "is this release of this service in this environment?"; a missing part means any. */
export interface ReleaseState {
  readonly service: string | undefined;
  /** A version, part of a version, or at least four digits of a commit. */
  readonly release: string | undefined;
  readonly environment: string | undefined;
}

export const releasePart: AddressPart<ReleaseState> = {
  home: { service: undefined, release: undefined, environment: undefined },
  read: (query) => ({
    service: query.text('of'),
    release: query.text('release'),
    environment: query.text('into'),
  }),
  write: ({ service, release, environment }) => [
    ['of', service],
    ['release', release],
    ['into', environment],
  ],
};
