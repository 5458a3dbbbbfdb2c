import type { Client } from '@shiplog/client';
import { type DeploymentEvent, headerNames, instantKey, nilId, type Status } from '@shiplog/contract';
import type { Given } from '../definition.ts';
import { usageFailure } from '../failure.ts';
import type { Output } from '../output.ts';

/** A cell of the board. */
export interface Slot {
  readonly service: string;
  readonly environment: string;
}

/** What is deployed: a version or a commit, exactly as the events name it. */
export interface Release {
  readonly version?: string | undefined;
  readonly sha?: string | undefined;
}

/** @throws Failure where the option is absent or empty. */
export function textOption(options: Given['options'], name: string, flag = `--${name}`): string {
  const text = options[name];
  if (typeof text === 'string' && text !== '') return text;
  throw usageFailure(`${flag} is required; add --help to see what the command takes.`);
}

export function isOf(event: DeploymentEvent, { version, sha }: Release): boolean {
  return version === undefined ? event.sha === sha : event.version === version;
}

/** Whether a row comes after another in the order of the log's views: by instant, then by id. */
export function isLater(one: DeploymentEvent, other: DeploymentEvent | undefined): boolean {
  if (!other) return true;
  const [left, right] = [instantKey(one.happened_at), instantKey(other.happened_at)];
  return left === right ? one.id > other.id : left > right;
}

export interface Snapshot {
  /** The latest row there of which the question is. */
  readonly row: DeploymentEvent | undefined;
  /** Where a stream goes on without a gap. */
  readonly position: string;
  /** The service's time. */
  readonly now: Date;
}

export interface SlotQuestion {
  readonly slot: Slot;
  readonly status?: Status;
  readonly matches?: (row: DeploymentEvent) => boolean;
  readonly signal: AbortSignal;
}

/** The latest row of a slot that matches, newest first and page by page. Rejects as the calls of the client do. */
export async function latestRow(client: Client, question: SlotQuestion): Promise<Snapshot> {
  const { slot, status, matches, signal } = question;
  const filter = { ...slot, ...(status && { status }), limit: matches ? 500 : 1 };
  let first: Headers | undefined;
  let cursor: string | null | undefined;
  for (;;) {
    const { body, headers } = await client.listDeployments({ query: { ...filter, ...(cursor && { cursor }) }, signal });
    // What is stored while the pages are read comes with the stream.
    first ??= headers;
    const row = matches ? body.items.find(matches) : body.items[0];
    cursor = body.next_cursor;
    if (!row && cursor && matches) continue;
    return { row, position: first.get(headerNames.streamPosition) ?? nilId, now: timeOf(first) };
  }
}

/** Ages are by the service's clock. */
function timeOf(headers: Headers): Date {
  const ms = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(ms) ? new Date() : new Date(ms);
}

/** A release in words. */
export function named(service: string, { version, sha }: Release, out: Output): string {
  return out.text(`${service} ${version ?? sha ?? 'without a version'}`);
}
