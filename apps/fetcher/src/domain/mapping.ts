import { createHash } from 'node:crypto';
import { type Captures, compileTemplate, foldedText, type Patterns, type Template } from '@shiplog/component';
import { byCodePoint, DeploymentEventIngest, limits } from '@shiplog/contract';
import { compileValidator } from '@shiplog/server';
import type { Change, SourceDefaults } from '../change.ts';
import { ruleNames, scalarText, type Values, valuesOf, variableOf } from './variables.ts';

/** The part of the configuration file that maps changes. */
export interface MappingRules {
  readonly rules: readonly Rule[];
  /** The new name for each old name. The old names are in lower case (ASCII). */
  readonly environments: ReadonlyMap<string, string>;
}

/** The slot and version of an event. `service` and `environment` aren't empty, but may exceed the limits of ingest. */
export interface MappedEvent {
  readonly service: string;
  readonly environment: string;
  /** If empty, the event has no version. */
  readonly version: string;
  /** Whether ids end with the service, as they do if the deployment has several services (fetcher §3.4). */
  readonly isOneOfSeveral: boolean;
}

export type Mapped =
  | { readonly kind: 'events'; readonly events: readonly MappedEvent[] }
  /** Dropped by a rule, or because the environment is transient. */
  | { readonly kind: 'dropped' }
  /** The change has no service, no environment, or an invalid list of services. */
  | { readonly kind: 'unmapped' };

/** Maps the changes of one source (fetcher §3). */
export interface Mapping {
  /** The artifacts that `map` may need. */
  artifactsOf(change: Change): readonly string[];
  /** `artifacts` contains text by name; a missing entry counts as empty. */
  map(change: Change, artifacts: ReadonlyMap<string, string>): Mapped;
}

const noCaptures: Captures = new Map();

/** @throws Mistake if the default for the version isn't a template. */
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
    const shared = {
      environment: environments.get(foldedText(written)) ?? written,
      version: filled(version ?? versionDefault, values),
      isOneOfSeveral: services.isList,
    };
    return { kind: 'events', events: names.map((name) => ({ service: name, ...shared })) };
  }
}

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

/** Without names if the list doesn't consist of 1 to 32 strings. */
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
  return template.fill((name) => storable(scalarText(values(name))));
}

export const servicesMax = 32;

/** A rule of the configuration file (fetcher §3). */
export interface Rule {
  /** The patterns of each variable; the rule applies if all variables match. */
  readonly match: ReadonlyMap<string, Patterns>;
  readonly drop: boolean;
  /** Omitted members have their defaults. A list becomes one event per template. */
  readonly service?: Template | { readonly each: readonly Template[] };
  readonly environment?: Template;
  readonly version?: Template;
  readonly line: number;
}

/** Converts a change to events within the limits of ingest (fetcher §5.6). */
export function eventsOf(change: Change, mapped: readonly MappedEvent[], idPrefix: string): DeploymentEventIngest[] {
  return mapped.map(({ service, environment, version, isOneOfSeveral }) => {
    const idOf = (id: string) =>
      cutName(storable(`${idPrefix}${id}${isOneOfSeveral ? `:${service}` : ''}`), limits.deploymentId);
    const parents = [...new Set(change.parents.map(idOf))].sort(byCodePoint).slice(0, limits.parentDeployments);
    return {
      deployment_id: idOf(change.id),
      service: cutName(storable(service), limits.service),
      environment: cutName(storable(environment), limits.environment),
      status: change.status,
      happened_at: change.at,
      ...optional('version', cut(storable(version), limits.version)),
      ...optional('run_url', runUrlOf(change)),
      ...optional('run_number', variableText(change, 'run_number', limits.runNumber)),
      ...optional('actor', variableText(change, 'actor', limits.actor)),
      ...optional('ref', variableText(change, 'ref', limits.ref)),
      ...optional('sha', variableText(change, 'sha', limits.sha)),
      ...(parents.length > 0 && { parent_deployments: parents }),
    };
  });
}

const runUrlErrors = compileValidator(DeploymentEventIngest.properties.run_url);

/** Empty if ingest would reject the URL. */
function runUrlOf(change: Change): string {
  const url = storable(variableOf(change, 'run_url'));
  return runUrlErrors(url).length === 0 ? url : '';
}

function variableText(change: Change, name: string, charactersMax: number): string {
  return cut(storable(variableOf(change, name)), charactersMax);
}

function optional<Name extends string>(name: Name, text: string): { readonly [Key in Name]?: string } {
  return text === '' ? {} : ({ [name]: text } as { readonly [Key in Name]: string });
}

/** Removes characters that the log can't store: U+0000 and lone surrogates (fetcher §5.6). */
export function storable(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '').replaceAll('\0', '');
}

export function cut(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : [...text].slice(0, charactersMax).join('');
}

const digestDigits = 6;

/** Shortens a name. A shortened name ends with `~` and part of its digest, so that different names stay different. */
export function cutName(name: string, charactersMax: number): string {
  if (cut(name, charactersMax) === name) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, digestDigits);
  return `${cut(name, charactersMax - 1 - digestDigits)}~${digest}`;
}
