import {
  type ConfigNode,
  compilePatterns,
  compileTemplate,
  foldedText,
  judgeFormatVersion,
  type Patterns,
  parseYamlFile,
  readYamlFile,
  type Template,
} from '@shiplog/component';
import { type Rule, servicesMax } from '../domain/mapping.ts';
import { isVariableName, ruleNames } from '../domain/variables.ts';
import { type CalendarEntry, readCalendars } from './calendars.ts';
import { type IssueSettings, readIssues } from './issues.ts';
import { type AdapterNames, readSources, type SourceEntry } from './sources.ts';
import { readWebhooks, type WebhookEntry } from './webhooks.ts';

/** The configuration file (fetcher §3). */
export interface ConfigFile {
  /** Replaces the settings that list places to poll; `undefined` if the file contains no sources. */
  readonly sources: readonly SourceEntry[] | undefined;
  /** The new name for each old name. The old names are in lower case (ASCII). */
  readonly environments: ReadonlyMap<string, string>;
  /** The first matching rule decides. */
  readonly rules: readonly Rule[];
  readonly webhooks: readonly WebhookEntry[];
  readonly calendars: readonly CalendarEntry[];
  /** Which issues are outages. */
  readonly issues: IssueSettings | undefined;
}

export const noConfigFile: ConfigFile = {
  sources: undefined,
  environments: new Map(),
  rules: [],
  webhooks: [],
  calendars: [],
  issues: undefined,
};

/** @throws SettingsError with a sentence for each error, each with file, line and column. */
export function readConfigFile(path: string, adapters: readonly AdapterNames[]): ConfigFile {
  return readYamlFile(path, { read: (root) => readRoot(root, adapters) });
}

/** Parses the text of a file; `path` is for error messages. @throws SettingsError */
export function parseConfig(text: string, path: string, adapters: readonly AdapterNames[]): ConfigFile {
  return parseYamlFile(text, path, { read: (root) => readRoot(root, adapters) });
}

function readRoot(root: ConfigNode, adapters: readonly AdapterNames[]): ConfigFile | undefined {
  const members = root.members(['version', 'sources', 'environments', 'rules', 'webhooks', 'calendars', 'issues']);
  if (!members) return undefined;
  const { version, sources, environments, rules, webhooks, calendars, issues } = members;
  judgeFormatVersion(root, version);
  return {
    sources: sources && readSources(sources, adapters),
    environments: environments ? readEnvironments(environments) : new Map(),
    rules: (rules?.items() ?? []).map(readRule),
    webhooks: webhooks
      ? readWebhooks(
          webhooks,
          adapters.flatMap(({ webhook }) => webhook?.name ?? []),
        )
      : [],
    calendars: calendars ? readCalendars(calendars) : [],
    issues: issues && readIssues(issues),
  };
}

function readEnvironments(node: ConfigNode): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, member] of node.entries()) {
    const key = foldedText(name);
    if (names.has(key)) member.refuse(`renames ${JSON.stringify(name)} twice (case is ignored)`);
    const text = member.text();
    if (text !== undefined) names.set(key, text);
  }
  return names;
}

function readRule(node: ConfigNode): Rule {
  const members = node.members(['match', 'drop', 'service', 'environment', 'version']) ?? {};
  const match = members.match ? readMatch(members.match) : new Map<string, Patterns>();
  const captured = new Set<string>();
  for (const { names } of match.values()) {
    for (const name of names) {
      if (captured.has(name)) members.match?.refuse(`captures "${name}" in two variables`);
      captured.add(name);
    }
  }
  const drop = members.drop?.flag() ?? false;
  for (const name of ['service', 'environment', 'version'] as const) {
    if (drop) members[name]?.refuse('has no effect in a rule that drops changes; remove it');
  }
  const template = (at: ConfigNode, withArtifacts = false): Template | undefined => {
    const text = at.text();
    return text === undefined ? undefined : at.judge(() => compileTemplate(text, ruleNames(captured, withArtifacts)));
  };
  const service = members.service && readService(members.service, template);
  const environment = members.environment && template(members.environment);
  const version = members.version && template(members.version, true);
  return {
    match,
    drop,
    ...(service && { service }),
    ...(environment && { environment }),
    ...(version && { version }),
    line: node.line,
  };
}

function readMatch(node: ConfigNode): ReadonlyMap<string, Patterns> {
  const match = new Map<string, Patterns>();
  for (const [name, member] of node.entries()) {
    if (!isVariableName(name)) {
      member.refuse('is not a variable that can be matched; payload and artifact work in templates only');
      continue;
    }
    const texts = member.texts();
    const patterns =
      texts.length > 0 || member.isList ? member.judge(() => compilePatterns(texts, isVariableName)) : undefined;
    if (patterns) match.set(name, patterns);
  }
  return match;
}

function readService(node: ConfigNode, template: (at: ConfigNode) => Template | undefined): Rule['service'] {
  if (!node.isList) return template(node);
  const items = node.items();
  if (items.length === 0 || items.length > servicesMax) node.refuse(`must have 1 to ${servicesMax} services`);
  return { each: items.flatMap((item) => template(item) ?? []) };
}
