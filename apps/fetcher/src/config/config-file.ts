import { type ConfigNode, foldedText, judgeFormatVersion, parseYamlFile, readYamlFile } from '@shiplog/component';
import type { Rule } from '../domain/mapping.ts';
import { readRule } from './rules.ts';
import { type AdapterNames, readSources, type SourceEntry } from './sources.ts';
import { readWebhooks, type WebhookEntry } from './webhooks.ts';

/** The configuration file (fetcher §3). */
export interface ConfigFile {
  /** Replaces the settings that list what to poll; `undefined` if the file has none. */
  readonly sources: readonly SourceEntry[] | undefined;
  /** New names by old names, which are in lower case (ASCII). */
  readonly environments: ReadonlyMap<string, string>;
  /** The first match decides. */
  readonly rules: readonly Rule[];
  readonly webhooks: readonly WebhookEntry[];
}

export const noConfigFile: ConfigFile = { sources: undefined, environments: new Map(), rules: [], webhooks: [] };

/** @throws SettingsError with a sentence for each mistake, each with file, line and column. */
export function readConfigFile(path: string, adapters: readonly AdapterNames[]): ConfigFile {
  return readYamlFile(path, { read: (root) => readRoot(root, adapters) });
}

/** Parses a text; `path` is for error messages. @throws SettingsError */
export function parseConfig(text: string, path: string, adapters: readonly AdapterNames[]): ConfigFile {
  return parseYamlFile(text, path, { read: (root) => readRoot(root, adapters) });
}

function readRoot(root: ConfigNode, adapters: readonly AdapterNames[]): ConfigFile | undefined {
  const members = root.members(['version', 'sources', 'environments', 'rules', 'webhooks']);
  if (!members) return undefined;
  const { version, sources, environments, rules, webhooks } = members;
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
