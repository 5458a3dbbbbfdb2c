/** The event fields that name what was deployed; an answer may have null where an event has no field. */
interface ReleaseFields {
  readonly version?: string | null | undefined;
  readonly sha?: string | null | undefined;
}

interface NamingFields extends ReleaseFields {
  readonly ref?: string | undefined;
  readonly run_number?: string | undefined;
  readonly deployment_id: string;
}

/** A release in few characters: its version, else the start of its sha; empty if it has neither. */
export function releaseName({ version, sha }: ReleaseFields): string {
  return version || shortSha(sha ?? '');
}

/** What an event deployed: its release name, else the best substitute. */
export function versionOf(event: NamingFields): string {
  return releaseName(event) || shortRef(event.ref ?? '') || event.run_number || event.deployment_id;
}

/** Twelve characters tell the commits of any repository apart. */
export function shortSha(sha: string): string {
  return sha.slice(0, 12);
}

/** The branch or the tag. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(heads|tags)\//, '');
}
