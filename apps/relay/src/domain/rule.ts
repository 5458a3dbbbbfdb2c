import type { Patterns } from '@shiplog/component';
import type { DeploymentEvent, Status } from '@shiplog/contract';

/** When a rule tells of a deployment (relay §9.7). */
export const whens = ['every', 'failure', 'recovery', 'first', 'stuck'] as const;
export type When = (typeof whens)[number];

/** A rule of a target; what its match leaves out is not looked at. */
export interface Rule {
  readonly services?: Patterns;
  readonly environments?: Patterns;
  readonly teams?: Patterns;
  /** `undefined`: those of which the target tells by itself. */
  readonly statuses?: readonly Status[];
  readonly when: readonly When[];
}

export const everyRule: Rule = { when: ['every'] };

/** What the log and the catalog say beside an event; asked for only where a rule has to know. */
export interface Facts {
  team(): Promise<string>;
  isRecovery(): Promise<boolean>;
  isFirst(): Promise<boolean>;
}

/** The end of a deployment: what a target tells of that has one message for each row (relay §9.6). */
export const endStatuses: readonly Status[] = ['success', 'failure', 'cancelled', 'rejected'];

/** Whether any of the rules tells of an event. `told`: the statuses of which the target tells by itself. */
export async function isTold(
  rules: readonly Rule[],
  event: DeploymentEvent,
  told: readonly Status[],
  facts: Facts,
): Promise<boolean> {
  for (const rule of rules) {
    if (!(rule.statuses ?? told).includes(event.status)) continue;
    if (!(await matches(rule, event, facts))) continue;
    for (const when of rule.when) if (await isSo(when, event, facts)) return true;
  }
  return false;
}

/** Whether any of the rules tells of an event that is stuck. */
export async function isToldStuck(rules: readonly Rule[], event: DeploymentEvent, facts: Facts): Promise<boolean> {
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
      // No row says so; it is looked for as time passes.
      return false;
  }
}
