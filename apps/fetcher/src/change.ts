import type { Status } from '@shiplog/contract';

/** What a cursor holds; it goes through JSON unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * The variables that patterns and templates know (fetcher §3.1), beside `payload.…` and `artifact:…`; a missing one counts
 * as empty.
 */
export const variableNames = [
  ...['adapter', 'repo', 'owner', 'name', 'workflow', 'job', 'environment', 'ref', 'tag', 'task', 'actor', 'transient'],
  ...['run_id', 'sha', 'sha7', 'id', 'run_url', 'run_number', 'version'],
] as const;

export type Variables = Readonly<Record<string, string>>;

/** One status of one deployment in a tool. */
export interface Change {
  /** The `deployment_id` of its event, without the prefix of its source: `gh-deploy-4830001`. */
  readonly id: string;
  /** The order of changes at the same instant. */
  readonly order: number;
  readonly status: Status;
  /** RFC 3339, as the tool wrote it. */
  readonly at: string;
  /** What makes a stored row the same change: status and instant, or the status alone. */
  readonly identity: 'instant' | 'status';
  /** The `deployment_id`s of those that it was promoted from, without the prefix of the source. */
  readonly parents: readonly string[];
  readonly vars: Variables;
  /** What the one who made the deployment attached to it; JSON, or text that may be JSON. */
  readonly payload?: Json;
}

/** What becomes of a change that no rule of the configuration decides (fetcher §3.5). */
export interface SourceDefaults {
  service(vars: Variables): string;
  /** A template: `{sha7}`, `{payload.version}`, `{artifact:version}`. */
  readonly version: string;
}
