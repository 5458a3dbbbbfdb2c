import {
  type CiFault,
  type CiFaultEffect,
  type CiFaultMatch,
  type CiFaultRequest,
  ciFaultPresets,
} from '@shiplog/companions';
import type { FieldError } from '@shiplog/contract';
import type { Random } from '../random.ts';
import type { Call } from './answer.ts';
import { globPattern } from './globs.ts';

interface Rule {
  readonly id: string;
  readonly match: CiFaultMatch;
  readonly effect: CiFaultEffect;
  /** `undefined`: no limit. */
  readonly times: number | undefined;
  readonly probability: number;
  readonly until: number | undefined;
  readonly path: RegExp | undefined;
  used: number;
  /** The number of matching requests. */
  met: number;
}

/** Decides which fault a request gets. Without rules nothing fails (CI emulator §1.4, §7). */
export class Faults {
  readonly #random: Random;
  #rules: Rule[] = [];
  #made = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Adds a rule unless it has errors; returns them. */
  add(request: CiFaultRequest, now: number): readonly FieldError[] {
    const errors = faultErrors(request);
    if (errors.length > 0) return errors;
    const named: CiFaultRequest = request.preset ? { ...ciFaultPresets[request.preset], ...request } : request;
    const { match = {}, effect = {}, probability = 1, for_ms } = named;
    this.#made += 1;
    this.#rules.push({
      id: String(this.#made),
      match,
      effect,
      times: named.times ?? (for_ms === undefined ? 1 : undefined),
      probability,
      until: for_ms === undefined ? undefined : now + for_ms,
      path: match.path === undefined ? undefined : globPattern(match.path),
      used: 0,
      met: 0,
    });
    return [];
  }

  /** Removes a rule and returns whether it existed; without an id, removes all rules. */
  remove(id: string | undefined): boolean {
    const before = this.#rules.length;
    this.#rules = id === undefined ? [] : this.#rules.filter((rule) => rule.id !== id);
    return id === undefined || this.#rules.length < before;
  }

  /** The rules that can still apply. */
  active(now: number): number {
    return this.#rules.filter((rule) => !isOver(rule, now)).length;
  }

  list(): CiFault[] {
    return this.#rules.map(({ id, match, effect, times, probability, until, used }) => ({
      id,
      match,
      effect,
      times: times ?? null,
      probability,
      until: until === undefined ? null : new Date(until).toISOString(),
      used,
    }));
  }

  /** The effect of the first matching rule that is not used up. */
  meet(call: Call): CiFaultEffect | undefined {
    const rule = this.#rules.find((one) => !isOver(one, call.now) && this.#applies(one, call));
    if (rule) rule.used += 1;
    return rule?.effect;
  }

  #applies(rule: Rule, { tool, method, path }: Call): boolean {
    const { match, probability } = rule;
    if (match.tool !== undefined && match.tool !== tool) return false;
    if (match.method !== undefined && match.method.toUpperCase() !== method) return false;
    if (rule.path && !rule.path.test(path)) return false;
    rule.met += 1;
    if (rule.met < (match.nth ?? 1)) return false;
    return probability >= 1 || this.#random.next() < probability;
  }
}

function isOver({ times, used, until }: Rule, now: number): boolean {
  return (times !== undefined && used >= times) || (until !== undefined && now >= until);
}

/** The field that names the effect. */
export function effectName(effect: CiFaultEffect): string {
  return Object.keys(effect).find((name) => name !== 'body' && name !== 'headers') ?? '';
}

function faultErrors({ preset, effect }: CiFaultRequest): FieldError[] {
  if ((preset === undefined) === (effect === undefined)) {
    return [{ pointer: '/effect', message: 'is required unless preset is sent' }];
  }
  if (effect === undefined) return [];
  const names = Object.keys(effect).filter((name) => name !== 'body' && name !== 'headers');
  if (names.length !== 1) return [{ pointer: '/effect', message: 'must have exactly one effect; add a rule for each' }];
  if (names[0] !== 'status' && Object.keys(effect).length > 1) {
    return [{ pointer: '/effect', message: 'must have a status if it has a body or headers' }];
  }
  return [];
}
