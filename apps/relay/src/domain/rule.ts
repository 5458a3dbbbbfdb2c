import type { Patterns } from '@shiplog/component';
import type { DeploymentEvent, Status } from '@shiplog/contract';

/** The conditions under which a rule matches a deployment (relay §9.7). */
export const whens = ['every', 'failure', 'recovery', 'first', 'stuck'] as const;
export type When = (typeof whens)[number];

/** A rule of a target; an absent member matches everything. */
export interface Rule {
  readonly services?: Patterns;
  readonly environments?: Patterns;
  readonly teams?: Patterns;
  /** `undefined`: the target's default statuses. */
  readonly statuses?: readonly Status[];
  readonly when: readonly When[];
}

export const everyRule: Rule = { when: ['every'] };

/** Facts from log and catalog, which are requested only if a rule needs them. */
export interface Facts {
  team(): Promise<string>;
  isRecovery(): Promise<boolean>;
  isFirst(): Promise<boolean>;
}

/** The statuses that end a deployment: the default of targets with one message per row (relay §9.6). */
export const endStatuses: readonly Status[] = ['success', 'failure', 'cancelled', 'rejected'];

/** Whether any rule matches an event. `defaultStatuses` applies to rules without statuses. */
export async function matchesRules(
  rules: readonly Rule[],
  event: DeploymentEvent,
  defaultStatuses: readonly Status[],
  facts: Facts,
): Promise<boolean> {
  for (const rule of rules) {
    if (!(rule.statuses ?? defaultStatuses).includes(event.status)) continue;
    if (!(await matches(rule, event, facts))) continue;
    for (const when of rule.when) if (await isSo(when, event, facts)) return true;
  }
  return false;
}

/** Whether any rule matches a stuck event. */
export async function matchesStuck(rules: readonly Rule[], event: DeploymentEvent, facts: Facts): Promise<boolean> {
  for (const rule of rules) {
    if (!rule.when.includes('stuck') || !(rule.statuses ?? [event.status]).includes(event.status)) continue;
    if (await matches(rule, event, facts)) return true;
  }
  return false;
}

async function matches(rule: Rule, event: DeploymentEvent, facts: Facts): Promise<boolean> {
  const fits = (patterns: Patterns | undefined, value: string) => !patterns || patterns.match(value) !== undefined;
  if (!fits(rule.services, event.service) || !fits(rule.environments, event.environment)) return false;
  return !rule.teams || fits(rule.teams, await facts.team());
}

async function isSo(when: When, { status }: DeploymentEvent, facts: Facts): Promise<boolean> {
  switch (when) {
    case 'every':
      return true;
    case 'failure':
      return status === 'failure';
    case 'recovery':
      return status === 'success' && (await facts.isRecovery());
    case 'first':
      return status === 'success' && (await facts.isFirst());
    case 'stuck':
      // Rows don't report that a deployment is stuck; StuckWatch checks for that.
      return false;
  }
}
