import { createHash } from 'node:crypto';
import { DeploymentEventIngest, limits } from '@shiplog/contract';
import { compileValidator } from '@shiplog/server/validation';
import type { PipelineFacts } from './tools.ts';

/** Event fields as given by the caller, not validated. */
export type GivenMembers = Readonly<Record<string, unknown>>;

export interface Filled {
  readonly members: GivenMembers;
  readonly names: readonly string[];
  /** Whether the event's time is the time of this call. */
  readonly isFresh: boolean;
}

export interface FillOptions {
  readonly facts: PipelineFacts | undefined;
  readonly now: Date;
  /** Returns the id to use if neither the event nor the CI environment has one. */
  readonly fallbackId: () => string;
}

/** Fills in absent fields from the CI environment. A field that is `null` counts as present (command.md 3.2). */
export function filledIn(given: GivenMembers, { facts, now, fallbackId }: FillOptions): Filled {
  const known: GivenMembers = facts ? membersOf(facts, given) : {};
  const added = Object.entries(known).filter(([name, value]) => value !== undefined && given[name] === undefined);
  const isFresh = given.happened_at === undefined;
  const hasId = [known, given].some(({ deployment_id }) => deployment_id !== undefined);
  const members = {
    ...(!hasId && { deployment_id: fallbackId() }),
    ...Object.fromEntries(added),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(isFresh && { happened_at: now.toISOString() }),
  };
  return { members, names: added.map(([name]) => name), isFresh };
}

function membersOf(facts: PipelineFacts, { service, environment }: GivenMembers): Record<string, string | undefined> {
  return {
    deployment_id: deploymentId(facts, [service, environment]),
    run_url: runUrlOf(facts.run_url),
    run_number: fitting(facts.run_number, limits.runNumber),
    actor: fitting(facts.actor, limits.actor),
    ref: fitting(facts.ref, limits.ref),
    sha: fitting(facts.sha, limits.sha),
  };
}

/**
 * Returns `<tool>-<run id>-<attempt>-<service>-<environment>`. A longer id is cut to the limit and ends with a digest
 * of the whole id.
 */
function deploymentId({ prefix, runId, attempt = '1' }: PipelineFacts, slot: readonly unknown[]): string | undefined {
  if (!runId || !slot.every((part) => typeof part === 'string')) return undefined;
  return cutWithDigest([prefix, runId, attempt, ...slot].join('-'), limits.deploymentId);
}

const digestDigits = 12;

/** Counts characters as code points, as the contract does. */
export function cutWithDigest(text: string, charactersMax: number): string {
  const characters = [...storable(text)];
  if (characters.length <= charactersMax) return characters.join('');
  const digest = createHash('sha256').update(text).digest('hex').slice(0, digestDigits);
  return `${characters.slice(0, charactersMax - 1 - digestDigits).join('')}~${digest}`;
}

/** CI values have no length limits, so they are cut to fit. An empty value counts as absent. */
export function fitting(text: string | undefined, charactersMax: number): string | undefined {
  const characters = [...storable(text ?? '')].slice(0, charactersMax);
  return characters.length > 0 ? characters.join('') : undefined;
}

/** Removes characters that the log can't store: U+0000 and unpaired surrogates. */
function storable(text: string): string {
  return text.replace(/[\p{Surrogate}\0]/gu, '');
}

const runUrlFaults = compileValidator(DeploymentEventIngest.properties.run_url);

function runUrlOf(url: string | undefined): string | undefined {
  return url && runUrlFaults(url).length === 0 && /^https?:/i.test(url) ? url : undefined;
}

/** The faults of an event according to the contract, each with its JSON pointer. Empty if the event is valid. */
export const eventFaults = compileValidator(DeploymentEventIngest);
