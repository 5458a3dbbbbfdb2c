import { limits } from '@shiplog/contract';
import { cutWithDigest, eventFaults, fitting, type GivenMembers } from './event.ts';

export interface Fitted {
  readonly members: GivenMembers;
  /** The changed fields, each with the reason why it did not fit. */
  readonly changes: readonly {
    readonly member: string;
    readonly fault: string;
    readonly change: 'cut' | 'left out';
  }[];
}

/** How a long text is shortened. */
const cuts: Readonly<Record<string, (text: string) => string | undefined>> = {
  deployment_id: (text) => cutWithDigest(text, limits.deploymentId),
  service: (text) => fitting(text, limits.service),
  environment: (text) => fitting(text, limits.environment),
  version: (text) => fitting(text, limits.version),
  run_number: (text) => fitting(text, limits.runNumber),
  actor: (text) => fitting(text, limits.actor),
  ref: (text) => fitting(text, limits.ref),
  sha: (text) => fitting(text, limits.sha),
};

/** Makes an event valid: a field that doesn't fit is cut, or left out if a part of it is useless (command.md 10.12). */
export function fitted(given: GivenMembers): Fitted {
  const members = { ...given };
  const changes = new Map<string, Fitted['changes'][number]>();
  for (const { pointer, message } of eventFaults(given)) {
    const [, member = ''] = pointer.split('/');
    if (changes.has(member)) continue;
    const value = members[member];
    members[member] = typeof value === 'string' ? cuts[member]?.(value) : parentsThatFit(value);
    const isCut =
      members[member] !== undefined &&
      eventFaults({ ...given, [member]: members[member] }).every((fault) => fault.pointer.split('/')[1] !== member);
    if (!isCut) delete members[member];
    changes.set(member, { member, fault: message, change: isCut ? 'cut' : 'left out' });
  }
  return { members, changes: [...changes.values()] };
}

/** The valid ids of a list of deployments. */
function parentsThatFit(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const parents = value.filter(
    (id) => typeof id === 'string' && id !== '' && cutWithDigest(id, limits.deploymentId) === id,
  );
  return parents.length > 0 ? [...new Set<string>(parents)].slice(0, limits.parentDeployments) : undefined;
}
