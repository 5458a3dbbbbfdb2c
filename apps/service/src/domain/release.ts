/** The version of a release as the log keeps it: `v` and the version, or `s` and the sha (questions.md 12.1). */
export function versionOf(release: string): string | null {
  return release.startsWith('v') ? release.slice(1) : null;
}

/** What a name may stand for; where the log has both, the version wins (questions.md 12.9). */
export function releasesNamed(name: string): readonly [version: string, sha: string] {
  return [`v${name}`, `s${name}`];
}
