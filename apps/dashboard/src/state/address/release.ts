import { partOf, type StateOf, text, word } from '../address-part.ts';

/** The question "is this release of this service in this environment?"; a missing part means any. */
export const releasePart = partOf({
  /** `reach`: what would reach an environment from another one. */
  tab: word('tab', ['answer', 'reach'], 'answer'),
  service: text('of'),
  /** A version, part of a version, or at least four digits of a commit. */
  release: text('release'),
  environment: text('into'),
});

export type ReleaseState = StateOf<typeof releasePart>;
