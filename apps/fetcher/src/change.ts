import type { Status } from '@shiplog/contract';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The variables available in patterns and templates (fetcher §3.1), besides `payload.…` and `artifact:…`. */
export const variableNames = [
  ...['adapter', 'repo', 'owner', 'name', 'workflow', 'job', 'environment', 'ref', 'tag', 'task', 'actor', 'transient'],
  ...['run_id', 'sha', 'sha7', 'id', 'run_url', 'run_number', 'version'],
] as const;

export type Variables = Readonly<Record<string, string>>;

/** A status of a deployment in a tool. */
export interface Change {
  /** The `deployment_id` of its event, without the prefix of its source: `gh-deploy-4830001`. */
  readonly id: string;
  /** Orders changes at the same instant. */
  readonly order: number;
  readonly status: Status;
  /** In RFC 3339, as the tool wrote it. */
  readonly at: string;
  /** What makes a stored row the same change: status and instant, or the status alone. */
  readonly identity: 'instant' | 'status';
  /** The `deployment_id`s that it was promoted from, without the prefix of the source. */
  readonly parents: readonly string[];
  readonly vars: Variables;
  /** The payload of the deployment: JSON, or text that may be JSON. */
  readonly payload?: Json;
}

/** How a change is mapped if no rule applies to it (fetcher §3.5). */
export interface SourceDefaults {
  service(vars: Variables): string;
  /** A template: `{sha7}`, `{payload.version}`, `{artifact:version}`. */
  readonly version: string;
}

export function isRecord(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A non-negative safe integer. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
