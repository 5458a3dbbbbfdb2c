/** The event fields that name what was deployed. In a response, an absent field may be null. */
interface ReleaseFields {
  readonly version?: string | null | undefined;
  readonly sha?: string | null | undefined;
}

interface NamingFields extends ReleaseFields {
  readonly ref?: string | undefined;
  readonly run_number?: string | undefined;
  readonly deployment_id: string;
}

/** A short name for a release: its version, or the start of its sha if it has no version. Empty if it has neither. */
export function releaseName({ version, sha }: ReleaseFields): string {
  return version || shortSha(sha ?? '');
}

/** The name of what an event deployed: the release name, or else the best substitute. */
export function versionOf(event: NamingFields): string {
  return releaseName(event) || shortRef(event.ref ?? '') || event.run_number || event.deployment_id;
}

/** Twelve characters distinguish the commits of any repository. */
export function shortSha(sha: string): string {
  return sha.slice(0, 12);
}

/** The name of the branch or tag. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(heads|tags)\//, '');
}
