import { type Breach, type Hold, instantKey } from '@shiplog/contract';
import { compileGlobs, globsMeet, grouped, literalGlob } from '@shiplog/text';
import type { Scope } from './scope.ts';

/** A span of time, `to` exclusive; RFC 3339 in UTC. */
interface Span {
  readonly from: string;
  readonly to: string;
}

export const isBefore = (one: string, other: string) => instantKey(one) < instantKey(other);
const earlier = (one: string, other: string) => (isBefore(other, one) ? other : one);
const later = (one: string, other: string) => (isBefore(one, other) ? other : one);

/** The end of a hold's span: its own, or its release (holds.md 6.1); `undefined` for one without an end. */
export function spanEnd({ until, released }: Hold): string | undefined {
  if (until !== null && released) return earlier(until, released.at);
  return until ?? released?.at;
}

/** The part of a hold's span within a period; `undefined` if there is none. */
function spanWithin(hold: Hold, { from, to }: Span): Span | undefined {
  const span = { from: later(hold.from, from), to: earlier(spanEnd(hold) ?? to, to) };
  return isBefore(span.from, span.to) ? span : undefined;
}

/** A span in a place, or in all places of an environment. */
export interface HeldRange extends Span {
  readonly service: string | null;
  readonly environment: string;
}

/** With more services, it is quicker to read all events of an environment. */
const servicesMax = 20;

/** Where and when holds were in force within a period, without overlaps of equal places, among these names. */
export function heldRanges(
  holds: readonly Hold[],
  period: Span,
  names: { readonly services: readonly string[]; readonly environments: readonly string[] },
): HeldRange[] {
  const ranges = holds.flatMap((hold): HeldRange[] => {
    const span = spanWithin(hold, period);
    if (!span) return [];
    const held = names.services.filter(compileGlobs(hold.services));
    const services = held.length > servicesMax ? [null] : held;
    const environments = names.environments.filter(compileGlobs(hold.environments));
    return environments.flatMap((environment) => services.map((service) => ({ service, environment, ...span })));
  });
  const byPlace = grouped(ranges, ({ service, environment }) => JSON.stringify([service, environment]));
  return [...byPlace.values()].flatMap((own) => unionOf(own));
}

/** The union of ranges of one place, without overlaps. */
function unionOf(ranges: readonly HeldRange[]): HeldRange[] {
  const union: HeldRange[] = [];
  for (const range of [...ranges].sort((one, other) => (isBefore(one.from, other.from) ? -1 : 1))) {
    const last = union.at(-1);
    if (last && !isBefore(last.to, range.from)) union[union.length - 1] = { ...last, to: later(last.to, range.to) };
    else union.push(range);
  }
  return union;
}

/** Whether a hold is in the scope: some name could match both one of its globs and one of the scope's. */
export function isInScope({ services, environments }: Hold, scope: Scope | undefined): boolean {
  if (!scope) return true;
  const asked = scope.names?.map(literalGlob) ?? scope.services;
  return meetAny(services, asked) && meetAny(environments, scope.environments);
}

function meetAny(globs: readonly string[], asked: readonly string[] | undefined): boolean {
  return asked === undefined || globs.some((one) => asked.some((other) => globsMeet(one, other)));
}

/** A deployment with the event that began it. */
export interface BegunDeployment {
  readonly id: string;
  readonly service: string;
  readonly environment: string;
  readonly deployment_id: string;
  readonly at: string;
  readonly version: string | null;
  readonly sha: string | null;
}

/** The breaches of these holds by these deployments, newest first (holds.md 2.2, 6.8 to 6.10). */
export function breachesOf(holds: readonly Hold[], deployments: readonly BegunDeployment[]): Breach[] {
  const judged = holds.map((hold) => ({ hold, matches: matcherOf(hold) }));
  const breaches = deployments.flatMap((begun) => {
    const { id: event_id, at, service, environment, deployment_id } = begun;
    const key = instantKey(at);
    return judged
      .filter(({ matches }) => matches(begun, key))
      .map(({ hold: { id: hold_id, kind } }) => ({ hold_id, kind, service, environment, deployment_id, event_id, at }));
  });
  return breaches.sort(newestFirst);
}

/** `key` is the sort key of the deployment's start. */
function matcherOf(hold: Hold): (begun: BegunDeployment, key: string) => boolean {
  const [isService, isEnvironment] = [compileGlobs(hold.services), compileGlobs(hold.environments)];
  const exceptions = hold.exceptions.map(({ services, created_at, until }) => ({
    lifts: compileGlobs(services),
    from: instantKey(created_at),
    end: instantKey(until),
  }));
  const from = instantKey(hold.from);
  const until = spanEnd(hold);
  const end = until === undefined ? undefined : instantKey(until);
  return ({ service, environment, version, sha }, key) => {
    if (key < from || (end !== undefined && key >= end)) return false;
    if (hold.kind === 'bad' && version !== hold.version && sha !== hold.version) return false;
    if (!isService(service) || !isEnvironment(environment)) return false;
    return !exceptions.some((exception) => key >= exception.from && key < exception.end && exception.lifts(service));
  };
}

function newestFirst(one: Breach, other: Breach): number {
  const [first, second] = [instantKey(one.at), instantKey(other.at)];
  if (first !== second) return first < second ? 1 : -1;
  if (one.event_id !== other.event_id) return one.event_id < other.event_id ? 1 : -1;
  return one.hold_id < other.hold_id ? 1 : -1;
}

/** The instant of the last act about a hold. */
export function lastAct({ created_at, released, exceptions }: Hold): string {
  const acts = [...(released ? [released.at] : []), ...exceptions.map((exception) => exception.created_at)];
  return acts.reduce(later, created_at);
}
