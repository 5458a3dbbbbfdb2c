import type { Patterns } from '@shiplog/component';
import type { DeploymentEvent, Status } from '@shiplog/contract';
import { type NewsHead, type NewsKind, newsKinds } from './news.ts';

/** The conditions under which a rule matches a deployment (relay §9.7). */
export const whens = ['every', 'failure', 'recovery', 'first', 'stuck', ...newsKinds] as const;
export type When = (typeof whens)[number];

/** A rule of a target; an absent member matches everything. */
export interface Rule {
  readonly services?: Patterns;
  readonly environments?: Patterns;
  /** Stages of the promotion order, whose environments match too if the patterns allow them. */
  readonly stages?: { readonly names: readonly string[]; readonly allowed: Patterns };
  readonly teams?: Patterns;
  /** `undefined`: the target's default statuses. */
  readonly statuses?: readonly Status[];
  readonly when: readonly When[];
}

export const everyRule: Rule = { when: ['every'] };

/** Facts from the log and the catalog, which are requested only if a rule needs them. */
export interface Facts {
  team(): Promise<string>;
  /** Whether the event's environment is in one of these stages. */
  isInStage(names: readonly string[]): Promise<boolean>;
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

/** The facts about names that rules for news need. */
export interface NameFacts {
  teamOf(service: string): Promise<string>;
  isInStage(environment: string, names: readonly string[]): Promise<boolean>;
}

/** Whether any rule asks for news of a kind. */
export function asksFor(rules: readonly Rule[], kinds: readonly NewsKind[] = newsKinds): boolean {
  return rules.some(({ when }) => kinds.some((kind) => when.includes(kind)));
}

/** Whether any rule matches a piece of news: one of its services and one of its environments. */
export async function matchesNews(
  rules: readonly Rule[],
  { kind, services, environments }: NewsHead,
  { teamOf, isInStage }: NameFacts,
): Promise<boolean> {
  for (const rule of rules) {
    if (!rule.when.includes(kind)) continue;
    const isIn = (environment: string) => isInEnvironments(rule, environment, (names) => isInStage(environment, names));
    const isOf = async (service: string) =>
      fits(rule.services, service) && (!rule.teams || fits(rule.teams, await teamOf(service)));
    if ((await anyOf(services, isOf)) && (await anyOf(environments, isIn))) return true;
  }
  return false;
}

/** Without names, the empty name must match. */
async function anyOf(names: readonly string[], isSo: (name: string) => Promise<boolean>): Promise<boolean> {
  for (const name of names.length > 0 ? names : ['']) if (await isSo(name)) return true;
  return false;
}

function fits(patterns: Patterns | undefined, value: string): boolean {
  return !patterns || patterns.match(value) !== undefined;
}

async function matches(rule: Rule, event: DeploymentEvent, facts: Facts): Promise<boolean> {
  if (!fits(rule.services, event.service)) return false;
  if (!(await isInEnvironments(rule, event.environment, facts.isInStage))) return false;
  return !rule.teams || fits(rule.teams, await facts.team());
}

async function isInEnvironments({ environments, stages }: Rule, environment: string, isInStage: Facts['isInStage']) {
  if (!environments && !stages) return true;
  if (environments?.match(environment) !== undefined) return true;
  return stages?.allowed.match(environment) !== undefined && isInStage(stages.names);
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
    default:
      // Rows report neither that a deployment is stuck nor any news; StuckWatch and NewsWatch check for that.
      return false;
  }
}
