/** The claims of a job, as names and values in the order in which the tool writes them. */
export type Claims = Readonly<Record<string, unknown>>;

/** A tool's claims about one job of a run. */
export interface JobClaims {
  readonly claims: Claims;
  /** The `sub` that belongs to these claims; the caller may have replaced some of them. */
  readonly subject: (claims: Claims) => string;
}

/** Which job a token is for. The newest run, and its newest deployment, are the defaults. */
export interface RequestedJob {
  readonly run?: number | undefined;
  readonly environment?: string | undefined;
}

/** `refs/heads/main` for `main`; a full ref stays as it is. */
export function fullRef(ref: string): string {
  return ref.startsWith('refs/') ? ref : `refs/heads/${ref}`;
}

export function refType(ref: string): 'branch' | 'tag' {
  return ref.startsWith('refs/tags/') ? 'tag' : 'branch';
}

/** The newest row of the requested environment; otherwise the newest of all rows. */
export function newestFor<Row extends { readonly environment: string; readonly at: number; readonly id: number }>(
  rows: readonly Row[],
  environment: string | undefined,
): Row | undefined {
  const sorted = rows.toSorted((one, other) => one.at - other.at || one.id - other.id);
  return sorted.findLast((row) => row.environment === environment) ?? sorted.at(-1);
}
