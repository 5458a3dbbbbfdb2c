import { type Captures, compileTemplate, foldedText, type Template } from '@shiplog/component';
import type { Change, SourceDefaults } from '../change.ts';
import { storable } from './event-text.ts';
import { type Rule, servicesMax } from './rule.ts';
import { ruleNames, textOf, type Values, valuesOf, variableOf } from './variables.ts';

/** What the configuration file says about changes. */
export interface MappingRules {
  /** The first that matches decides. */
  readonly rules: readonly Rule[];
  /** New names by old names, whose ASCII letters are in lower case. */
  readonly environments: ReadonlyMap<string, string>;
}

/** Where an event of a change belongs. `service` and `environment` are not empty, but may be longer than ingest takes. */
export interface MappedEvent {
  readonly service: string;
  readonly environment: string;
  /** Empty: none. */
  readonly version: string;
  /** Whether ids end in the service, because the deployment is of several (fetcher §3.4). */
  readonly isOneOfSeveral: boolean;
}

export type Mapped =
  | { readonly kind: 'events'; readonly events: readonly MappedEvent[] }
  /** By a rule, or because the environment is transient. */
  | { readonly kind: 'dropped' }
  /** No service, no environment, or a list of services that cannot be taken. */
  | { readonly kind: 'unmapped' };

/** What becomes of the changes of one source (fetcher §3). */
export interface Mapping {
  /** The artifacts whose texts `map` may ask for. */
  artifactsOf(change: Change): readonly string[];
  /** `artifacts` has texts by name; one that is missing counts as empty. */
  map(change: Change, artifacts: ReadonlyMap<string, string>): Mapped;
}

const noCaptures: Captures = new Map();

/** @throws Mistake where the default of the version is no template. */
export function compileMapping({ rules, environments }: MappingRules, defaults: SourceDefaults): Mapping {
  const versionDefault = compileTemplate(defaults.version, ruleNames(new Set(), true));
  return {
    artifactsOf: (change) => {
      const names = new Set<string>();
      mapWith(change, (name) => {
        names.add(name);
        return undefined;
      });
      return [...names];
    },
    map: (change, artifacts) => mapWith(change, (name) => artifacts.get(name)),
  };

  function mapWith(change: Change, artifact: (name: string) => string | undefined): Mapped {
    const found = ruleFor(rules, change);
    if (found ? found.rule.drop : variableOf(change, 'transient') === 'true') return { kind: 'dropped' };
    const values = valuesOf(change, found?.captures ?? noCaptures, artifact);
    const { service, environment, version } = found?.rule ?? {};
    const services = service ? servicesBy(service, values) : { names: [defaults.service(change.vars)], isList: false };
    const names = [...new Set(services.names.map(storable))];
    const written = storable(environment ? filled(environment, values) : variableOf(change, 'environment'));
    if (names.length === 0 || names.includes('') || written === '') return { kind: 'unmapped' };
    const rest = {
      environment: environments.get(foldedText(written)) ?? written,
      version: filled(version ?? versionDefault, values),
      isOneOfSeveral: services.isList,
    };
    return { kind: 'events', events: names.map((name) => ({ service: name, ...rest })) };
  }
}

/** The first rule of which every variable matches, with what it captures. */
function ruleFor(
  rules: readonly Rule[],
  change: Change,
): { readonly rule: Rule; readonly captures: Captures } | undefined {
  for (const rule of rules) {
    const captures = capturesOf(rule, change);
    if (captures) return { rule, captures };
  }
  return undefined;
}

function capturesOf({ match }: Rule, change: Change): Captures | undefined {
  const captures = new Map<string, string>();
  for (const [name, patterns] of match) {
    const found = patterns.match(variableOf(change, name));
    if (!found) return undefined;
    for (const [capture, text] of found) captures.set(capture, text);
  }
  return captures;
}

/** No names where the list is none of 1 to 32 texts. */
interface Services {
  readonly names: readonly string[];
  readonly isList: boolean;
}

function servicesBy(service: NonNullable<Rule['service']>, values: Values): Services {
  if ('each' in service) return { names: service.each.map((template) => filled(template, values)), isList: true };
  const value = service.onlyName === undefined ? undefined : values(service.onlyName);
  if (!Array.isArray(value)) return { names: [filled(service, values)], isList: false };
  const names = value.filter((item) => typeof item === 'string');
  const isTaken = names.length === value.length && names.length <= servicesMax;
  return { names: isTaken ? names : [], isList: true };
}

function filled(template: Template, values: Values): string {
  return template.fill((name) => storable(textOf(values(name))));
}
