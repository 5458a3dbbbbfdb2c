import { limits } from '@shiplog/contract';
import type { Dice } from '../random.ts';

/** The names of a release in its events. Either may be absent. */
export interface ReleaseName {
  readonly version?: string;
  readonly sha?: string;
}

/** Names the release of a service by its number. */
type Scheme = (release: number, sha: string) => ReleaseName;

const semver = (release: number) => `${1 + Math.floor(release / 40)}.${Math.floor(release / 5) % 8}.${release % 5}`;
const two = (number: number) => String(number).padStart(2, '0');
const calendar = (release: number) => `2026.${two(1 + (Math.floor(release / 28) % 12))}.${two(1 + (release % 28))}`;
const cut = (text: string) => text.slice(0, limits.version);

const usualSchemes = 9;
const schemes: readonly Scheme[] = [
  (release, sha) => ({ version: semver(release), sha }),
  (release, sha) => ({ version: semver(release), sha }),
  (release, sha) => ({ version: `v${semver(release)}`, sha }),
  (release, sha) => ({ version: release % 3 === 2 ? semver(release) : `${semver(release)}-rc.${release % 3}`, sha }),
  (release, sha) => ({ version: calendar(release), sha }),
  (release, sha) => ({ version: String(4400 + release), sha: sha.slice(0, 7) }),
  (release) => ({ version: `#${release}` }),
  (release, sha) => ({ version: `v${semver(release)}-${1 + (release % 30)}-g${sha.slice(0, 7)}`, sha }),
  (_, sha) => ({ sha }),
  (_, sha) => ({ version: sha, sha }),
  (_, sha) => ({ version: cut(`sha256:${sha}${sha}`) }),
  (release, sha) => ({ version: cut(`${calendar(release)}-release-candidate.${release}+build.${sha}`), sha }),
  (release, sha) => ({ version: cut(`feature/${sha.slice(0, 5)}_${'checkout_redesign_'.repeat(3)}${release}`), sha }),
  (release, sha) => ({ version: `版本-${release}`, sha }),
  (release, sha) => ({ version: `إصدار ${release}`, sha }),
  (release, sha) => ({ version: release % 2 === 0 ? 'latest' : 'main', sha }),
  (_, sha) => ({ version: '', sha }),
  () => ({}),
];

/**
 * The naming scheme of a service. Each of the first services has its own; most others have one of the common schemes.
 */
export function schemeOf(index: number, dice: Dice): Scheme {
  return schemes[index] ?? dice.one(dice.between(1, 100) <= 75 ? schemes.slice(0, usualSchemes) : schemes);
}

export function shaOf(dice: Dice): string {
  return Array.from({ length: 40 }, () => dice.between(0, 15).toString(16)).join('');
}
