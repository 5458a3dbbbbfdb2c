import type { AddressPart } from '../address-part.ts';

/** "Is this release of this service in this environment?"; what is not said is asked about all. */
export interface ReleaseState {
  readonly service: string | undefined;
  /** A version, a part of one, or at least four digits of a commit. */
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
  say: ({ service, release, environment }) => [
    ['of', service],
    ['release', release],
    ['into', environment],
  ],
};
