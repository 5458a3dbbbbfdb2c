import type { Captures, TemplateNames } from '@shiplog/component';
import { type Change, type Json, variableNames } from '../change.ts';

const names: ReadonlySet<string> = new Set(variableNames);
const payloadName = /^payload(?:\.[^.]+)+$/;
const artifactPrefix = 'artifact:';

export function isVariableName(name: string): boolean {
  return names.has(name);
}

/** The names allowed in a rule's templates: variables, payload, captures and, for a version, artifacts. */
export function ruleNames(captured: ReadonlySet<string>, withArtifacts: boolean): TemplateNames {
  const more = [...captured, 'payload.<path>', ...(withArtifacts ? ['artifact:<name>'] : [])];
  return {
    isName: (name) =>
      isVariableName(name) ||
      payloadName.test(name) ||
      captured.has(name) ||
      (withArtifacts && artifactOf(name) !== undefined),
    known: [...variableNames, ...more].join(', '),
  };
}

export type Values = (name: string) => Json | undefined;

/** The values of variables, captures, `payload.a.b` (also in JSON text) and `artifact:<name>`. */
export function valuesOf(change: Change, captures: Captures, artifact: (name: string) => string | undefined): Values {
  let payload: { readonly value: Json | undefined } | undefined;
  return (name) => {
    if (captures.has(name)) return captures.get(name);
    if (payloadName.test(name)) {
      payload ??= { value: typeof change.payload === 'string' ? parsed(change.payload) : change.payload };
      return memberOf(payload.value, name.split('.').slice(1));
    }
    const artifactName = artifactOf(name);
    return artifactName === undefined ? variableOf(change, name) : artifact(artifactName);
  };
}

/** The text of a variable; empty if the change has none. */
export function variableOf({ vars }: Change, name: string): string {
  return Object.hasOwn(vars, name) ? (vars[name] ?? '') : '';
}

/** Converts text, numbers and booleans; anything else is empty. */
export function scalarText(value: Json | undefined): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

function artifactOf(name: string): string | undefined {
  return name.startsWith(artifactPrefix) && name !== artifactPrefix ? name.slice(artifactPrefix.length) : undefined;
}

function memberOf(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((holder, key) => {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key)) return undefined;
    // The length of an array is an own property, too.
    return Array.isArray(holder) && !/^\d+$/.test(key) ? undefined : (holder as Record<string, Json>)[key];
  }, value);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
