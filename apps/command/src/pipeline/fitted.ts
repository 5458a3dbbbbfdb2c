import { limits } from '@shiplog/contract';
import { cutWithDigest, eventFaults, fitting, type GivenMembers } from './event.ts';

export interface Fitted {
  readonly members: GivenMembers;
  /** The changed fields, each with the reason for the change. */
  readonly changes: readonly {
    readonly member: string;
    readonly fault: string;
    readonly change: 'cut' | 'left out';
  }[];
}

const lengthMax: Readonly<Record<string, number>> = {
  service: limits.service,
  environment: limits.environment,
  version: limits.version,
  run_number: limits.runNumber,
  actor: limits.actor,
  ref: limits.ref,
  sha: limits.sha,
};

function shortened(member: string, text: string): string | undefined {
  if (member === 'deployment_id') return cutWithDigest(text, limits.deploymentId);
  return fitting(text, lengthMax[member] ?? 0);
}

/**
 * Makes an event valid: a field that doesn't fit is cut, or left out if a part of it would be useless (command.md
 * 10.12).
 */
export function fitted(given: GivenMembers): Fitted {
  const members = { ...given };
  const changes = new Map<string, Fitted['changes'][number]>();
  for (const { pointer, message } of eventFaults(given)) {
    const [, member = ''] = pointer.split('/');
    if (changes.has(member)) continue;
    const value = members[member];
    members[member] = typeof value === 'string' ? shortened(member, value) : parentsThatFit(value);
    const isCut =
      members[member] !== undefined &&
      eventFaults({ ...given, [member]: members[member] }).every((fault) => fault.pointer.split('/')[1] !== member);
    if (!isCut) delete members[member];
    changes.set(member, { member, fault: message, change: isCut ? 'cut' : 'left out' });
  }
  return { members, changes: [...changes.values()] };
}

function parentsThatFit(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const parents = value.filter(
    (id) => typeof id === 'string' && id !== '' && cutWithDigest(id, limits.deploymentId) === id,
  );
  return parents.length > 0 ? [...new Set<string>(parents)].slice(0, limits.parentDeployments) : undefined;
}
