import type { Client } from '@shiplog/client';
import { type DeploymentEvent, headerNames, instantKey, nilId, type Status } from '@shiplog/contract';
import type { Given } from '../definition.ts';
import { usageFailure } from '../failure.ts';
import type { Output } from '../output.ts';

export interface Slot {
  readonly service: string;
  readonly environment: string;
}

/** A release by version or commit, exactly as events have it. */
export interface Release {
  readonly version?: string | undefined;
  readonly sha?: string | undefined;
}

export function textOption(options: Given['options'], name: string, flag = `--${name}`): string {
  const text = options[name];
  if (typeof text === 'string' && text !== '') return text;
  throw usageFailure(`${flag} is required; see --help.`);
}

export function isOf(event: DeploymentEvent, { version, sha }: Release): boolean {
  return version === undefined ? event.sha === sha : event.version === version;
}

type Dated = Pick<DeploymentEvent, 'happened_at' | 'id'>;

export function isLater(one: Dated, other: Dated | undefined): boolean {
  if (!other) return true;
  const [left, right] = [instantKey(one.happened_at), instantKey(other.happened_at)];
  return left === right ? one.id > other.id : left > right;
}

export interface Snapshot {
  readonly row: DeploymentEvent | undefined;
  /** The position from which a stream continues without a gap. */
  readonly position: string;
  readonly now: Date;
}

export interface SlotQuestion {
  readonly slot: Slot;
  readonly status?: Status;
  readonly matches?: (row: DeploymentEvent) => boolean;
  readonly signal: AbortSignal;
}

/** The latest matching row of a slot. Rejects in the same cases as client calls. */
export async function latestRow(client: Client, question: SlotQuestion): Promise<Snapshot> {
  const { slot, status, matches, signal } = question;
  const filter = { ...slot, status, limit: matches ? 500 : 1 };
  let first: Headers | undefined;
  let cursor: string | undefined;
  for (;;) {
    const { body, headers } = await client.listDeployments({ query: { ...filter, cursor }, signal });
    // Rows stored after the first page was read arrive with the stream.
    first ??= headers;
    const row = matches ? body.items.find(matches) : body.items[0];
    cursor = body.next_cursor ?? undefined;
    if (!row && cursor && matches) continue;
    return { row, position: first.get(headerNames.streamPosition) ?? nilId, now: timeOf(first) };
  }
}

/** Returns the time of the service's clock, which is used to compute ages. */
function timeOf(headers: Headers): Date {
  const ms = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(ms) ? new Date() : new Date(ms);
}

export function named(service: string, { version, sha }: Release, out: Pick<Output, 'text'>): string {
  return out.text(`${service} ${version ?? sha ?? 'without a version'}`);
}
